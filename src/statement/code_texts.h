// SPDX-License-Identifier: Apache-2.0
// The prose in a block of code: its comments, and all of its lines if a writer
// made it up and it is not code.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::statement {

struct CodeText {
  std::string text;
  std::size_t line = 0;  ///< From zero.
};

/// A block that is not marked `example` quotes its source: only comments.
std::vector<CodeText> ReadCodeTexts(std::string_view info, std::string_view code);

}  // namespace sibyl::statement
