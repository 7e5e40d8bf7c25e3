// SPDX-License-Identifier: Apache-2.0
// What all prompts share: text of sources and plans as quoted data, and the
// place of a passage.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "draft/extract/excerpt.h"

namespace sibyl::draft {

/// One line without anything that could close our tags.
std::string SafeLine(std::string_view text, std::size_t most);

/// "pytorch torch/cuda/graphs.py:10-40, class CUDAGraph"
std::string PlaceInPrompt(const Excerpt& excerpt);

/// Lines under their numbers, so that no line of a source can look like one of
/// ours. A line longer than any that people write is cut, with "…".
void AppendNumberedLines(std::string_view text, std::size_t first_line, std::string& out);

inline constexpr std::size_t kMostPromptLineBytes = 400;  ///< Of a point or a place.

}  // namespace sibyl::draft
