// SPDX-License-Identifier: Apache-2.0
// Makes the passages of a document cover each line exactly once, so that exact search over
// passages misses nothing.
#pragma once

#include <string_view>
#include <vector>

#include "index/document.h"

namespace sibyl::index {

/// Lines per passage in text without structure.
inline constexpr std::uint32_t kWindowLines = 40;

/// Lines and bytes are counted as in PassageSpan.
struct CoveredPassage {
  std::uint32_t first_line = 1;
  std::uint32_t last_line = 1;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string_view heading_view;  ///< Into the given passages.
  PassageKind kind = PassageKind::kWindow;
};

/// `given` may overlap, be out of order, exceed the text, or not start and end at line ends.
/// The result starts and ends at line ends, in order and without gaps. A passage much longer
/// than a window is split into several with the same heading.
std::vector<CoveredPassage> CoverText(std::string_view text, const std::vector<PassageSpan>& given);

}  // namespace sibyl::index
