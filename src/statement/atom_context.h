// SPDX-License-Identifier: Apache-2.0
// How the words around a name tell what it is used for. Part of verify/atom.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "statement/atom.h"

namespace sibyl::statement {

/// The line of `text` around [begin, end), cut in three. A line may be a
/// paragraph of half a megabyte: no more than 2 KiB before and 256 bytes after
/// are given, so that a name costs the same in every line.
struct Around {
  std::string_view before;
  std::string_view after;
  bool from_line_start = true;  ///< False: the line begins before `before`.
};
Around LineAround(std::string_view text, std::size_t begin, std::size_t end);

/// The use of the name at [begin, end).
AtomUse UseOf(std::string_view text, std::size_t begin, std::size_t end, CodeLanguage language);

/// The program whose command line [at] belongs to: "nvcc", "cmake", "torchrun";
/// empty if the text does not say, or says it more than 4 KiB before. Lines that
/// end in a backslash go on.
std::string ToolAt(std::string_view text, std::size_t at);

/// Whether the byte is in a comment of its line.
bool IsInComment(std::string_view text, std::size_t at, CodeLanguage language);

}  // namespace sibyl::statement
