// SPDX-License-Identifier: Apache-2.0
// What a source is: the wish (a SourceSpec, from sibyl.toml) and the pin that
// makes it reproducible (a Pin, in sibyl.lock).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/object_id.h"

namespace sibyl::evidence {

enum class SourceKind { kGit, kFolder, kFile, kPage };

/// "git", "folder", "file", "page": the key in sibyl.toml, the kind in sibyl.lock.
std::string_view SourceKindName(SourceKind kind);
std::optional<SourceKind> ParseSourceKind(std::string_view name);

/// Which files of a source are read. Part of the pin: the same lock must give
/// the same passages whatever sibyl.toml says by then.
struct SourceFilter {
  std::vector<std::string> include;  ///< Globs; empty takes everything.
  std::vector<std::string> exclude;  ///< Globs; they win over `include`.
  /// Larger ones are data more often than text; the CUDA driver's header, which
  /// is neither small nor data, has 1.1 MiB.
  std::uint64_t max_file_bytes = std::uint64_t{2} << 20;

  bool operator==(const SourceFilter&) const = default;
};

struct SourceSpec {
  std::string name;
  SourceKind kind = SourceKind::kGit;
  std::string origin;  ///< URL or path; a relative path starts at the oracle.
  std::string ref;     ///< Branch, tag or commit; empty means the origin's HEAD. Git only.
  SourceFilter filter;
  std::size_t line = 0;  ///< Of its table in sibyl.toml.
};

struct Pin {
  std::string name;
  SourceKind kind = SourceKind::kGit;
  std::string origin;  ///< Without credentials.
  std::string ref;
  std::optional<ObjectId> commit;  ///< Git only.
  std::optional<ObjectId> tree;    ///< All but pages.
  std::string sha256;              ///< Pages only.
  std::string date;                ///< UTC: of the commit, or of the snapshot.
  SourceFilter filter;

  bool operator==(const Pin&) const = default;
};

/// Letters, digits, '.', '_' and '-', at most 64, not starting with a mark: a
/// name must be safe in a file name, a query and a stamp.
bool IsSourceName(std::string_view name);

}  // namespace sibyl::evidence
