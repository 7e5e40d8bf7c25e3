// SPDX-License-Identifier: Apache-2.0
// Selects the documents that a search may find.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/document.h"
#include "index/segment/segment.h"

namespace sibyl::index {

/// A document must match one value of each member; an empty member does not restrict.
struct Filter {
  std::vector<std::string> sources;     ///< As given to Index::Open.
  std::vector<std::string> path_globs;  ///< See evidence/glob.h; a leading '!' excludes.
  std::vector<std::string> languages;
  std::vector<PassageKind> kinds;

  bool is_empty() const {
    return sources.empty() && path_globs.empty() && languages.empty() && kinds.empty();
  }
};

/// Whether any of the globs matches the path.
bool PathIsAllowed(const std::vector<std::string>& globs, std::string_view path);

/// One bit per passage of `segment` that matches the filter (except its sources) and whose
/// document is not in `dead_documents` (one bit per document; may be empty). Returns an empty
/// vector if all passages match.
std::vector<std::uint64_t> AllowedPassages(const Segment& segment, const Filter& filter,
                                           const std::vector<std::uint64_t>& dead_documents);

}  // namespace sibyl::index
