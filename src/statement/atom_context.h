// SPDX-License-Identifier: Apache-2.0
// Determines the use of a name from the words around it. Part of
// statement/atom.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "statement/atom.h"

namespace sibyl::statement {

/// The line of `text` around [begin, end), in three pieces. A line may be a
/// paragraph of half a megabyte: at most 2 KiB before and 256 bytes after are
/// returned, so that the cost per name is bounded.
struct Around {
  std::string_view before;
  std::string_view after;
  bool from_line_start = true;  ///< False: the line starts before `before`.
};
Around LineAround(std::string_view text, std::size_t begin, std::size_t end);

/// The use of the name at [begin, end).
AtomUse UseOf(std::string_view text, std::size_t begin, std::size_t end, CodeLanguage language);

/// The program whose command line [at] belongs to: "nvcc", "cmake", "torchrun";
/// empty if there is none within 4 KiB before. Lines that end in a backslash
/// are continued.
std::string ToolAt(std::string_view text, std::size_t at);

/// Whether the byte is in a comment of its line.
bool IsInComment(std::string_view text, std::size_t at, CodeLanguage language);

}  // namespace sibyl::statement
