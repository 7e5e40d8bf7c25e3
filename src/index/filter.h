// SPDX-License-Identifier: Apache-2.0
// Which documents a search may find.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/document.h"
#include "index/segment/segment.h"

namespace sibyl::index {

/// Within a member any value will do; members that are empty do not restrict.
struct Filter {
  std::vector<std::string> sources;     ///< Names as the indexes were given.
  std::vector<std::string> path_globs;  ///< As evidence/glob.h has them; a leading '!' excludes.
  std::vector<std::string> languages;
  std::vector<PassageKind> kinds;

  bool is_empty() const {
    return sources.empty() && path_globs.empty() && languages.empty() && kinds.empty();
  }
};

/// Whether any of the globs lets the path through.
bool PathIsAllowed(const std::vector<std::string>& globs, std::string_view path);

/// One bit for each passage of `segment` that the filter (but for its sources)
/// lets through and whose document is not in `dead_documents` (one bit each;
/// may be empty). Empty if all passages are.
std::vector<std::uint64_t> AllowedPassages(const Segment& segment, const Filter& filter,
                                           const std::vector<std::uint64_t>& dead_documents);

}  // namespace sibyl::index
