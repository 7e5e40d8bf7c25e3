// SPDX-License-Identifier: Apache-2.0
// The lines of code that are shown for a unit: the whole function or command, or
// the statement to where its block ends. Never a part of a block.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/line_span.h"

namespace sibyl::draft {

struct CodeText {
  std::string_view language;
  std::string_view text;
  bool is_whole = false;  ///< All of it is one definition or command.
};

/// The lines of the block that has the lines `unit`; all of them count from one in the
/// text. nullopt if it has more than `most` lines, a line of data, or no end in the text.
std::optional<LineRange> WholeBlock(const CodeText& code, LineRange unit, std::size_t most);

/// Lines [first, last] of a text, from zero, without their common indentation.
std::vector<std::string> Dedent(const std::vector<std::string_view>& lines, std::size_t first,
                                std::size_t last);

/// The info string of a fence for a language: "cpp", "cuda", "" for text.
std::string_view FenceName(std::string_view language);

/// "# ", "// ", or empty for a language without comments.
std::string_view CommentMark(std::string_view language);

}  // namespace sibyl::draft
