// SPDX-License-Identifier: Apache-2.0
// The cited lines as they were when the citation was written, and what became of
// them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "git/object_id.h"
#include "references/kept/document_versions.h"
#include "references/past/line_map.h"
#include "references/reference.h"
#include "references/repository.h"
#include "references/sighting.h"

namespace sibyl::references {

/// What became of the cited lines since the citation was written.
enum class Movement : std::uint8_t {
  kUnknown,  ///< They were changed or removed, or there is no history.
  kNone,     ///< They are where they were, within two lines.
  kShifted,  ///< They moved, but the cited range still has half of them.
  kMoved,    ///< They are somewhere else, or were replaced.
};

struct PastLines {
  git::ObjectId commit;
  std::string path;
  TreeFile file;
  Sighting sighting;
  std::optional<LineMap::Mapped> now = std::nullopt;  ///< Where the lines are in the file now.
  Movement movement = Movement::kUnknown;
  bool is_base = false;  ///< Not where it was brought: CitingDocument::bases.

  bool held() const { return sighting.fit == Fit::kHolds; }

  /// Follows the lines to the file as it is now.
  void Follow(const TreeFile& current, const LineRange& lines, LineMaps& maps);
};

/// A document whose citations are judged.
struct CitingDocument {
  std::string_view path;
  std::string_view text;
  DocumentVersions& versions;
  /// Folders with extensions of the files that it cites and that exist: KindOfPlace().
  const std::set<std::string>& places;
  /// The commit that the citations were written for, by the one that brought them.
  const std::map<git::ObjectId, git::ObjectId>* bases = nullptr;
};

/// The first of these paths that the commit has; they are a file's path now, and those
/// that it had before.
struct NamedFile {
  std::string path;
  TreeFile file;
};
NamedFile FileThen(const Repository& repository, const git::ObjectId& commit,
                   const std::vector<std::string>& names);

/// The version in which the citation held, otherwise the first in which it was
/// written; nothing if the repository has none. `names` are the file's path now, and
/// those that it had before.
std::optional<PastLines> LookBack(const Repository& repository,
                                  const std::vector<std::string>& names,
                                  const CitingDocument& document, const Reference& reference,
                                  LineMaps& maps);

/// A file as it was before a citation was written.
struct BeforeCitation {
  git::ObjectId commit;            ///< In which the citation was written.
  std::vector<std::string> names;  ///< The file's path then, and those that it had before.
  /// Only a version in which the claim is clearly in the cited lines: the text was
  /// out of date when it was committed.
  bool must_hold = false;
};

/// The last version of the file before that commit that has such lines.
std::optional<PastLines> EarlierVersion(const Repository& repository, const BeforeCitation& before,
                                        const TreeFile& now, const Reference& reference,
                                        LineMaps& maps);

}  // namespace sibyl::references
