// SPDX-License-Identifier: Apache-2.0
// Makes the passages of a document cover each of its lines exactly once, so
// that exact search may look at passages and miss nothing.
#pragma once

#include <string_view>
#include <vector>

#include "index/document.h"

namespace sibyl::index {

/// Lines of a passage where the text has no structure of its own.
inline constexpr std::uint32_t kWindowLines = 40;

/// Lines and bytes as those of PassageSpan.
struct CoveredPassage {
  std::uint32_t first_line = 1;
  std::uint32_t last_line = 1;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string_view heading_view;  ///< Into what was given.
  PassageKind kind = PassageKind::kWindow;
};

/// `given` in any state: overlapping, out of order, beyond the text, not at
/// line ends. What comes back begins and ends at line ends, in order, without
/// gaps; a passage much longer than a window is cut into several with the same
/// heading.
std::vector<CoveredPassage> CoverText(std::string_view text, const std::vector<PassageSpan>& given);

}  // namespace sibyl::index
