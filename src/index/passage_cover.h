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

/// `given` in any state: overlapping, out of order, beyond the text, not at
/// line ends. What comes back begins and ends at line ends, in order, without
/// gaps; a passage much longer than a window is cut into several with the same
/// heading.
std::vector<PassageSpan> CoverText(std::string_view text, const std::vector<PassageSpan>& given);

}  // namespace sibyl::index
