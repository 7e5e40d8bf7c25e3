// SPDX-License-Identifier: Apache-2.0
// Lines that are wider than the terminal are broken at spaces. Most text is wrapped where it is
// rendered; this is for the rest: quoted lines, rows of tables, places.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sibyl::interface {

/// The length of a style such as "\x1b[1;31m" at the beginning of `text`. 0: none.
std::size_t StyleLength(std::string_view text);

/// Breaks each line that is wider than `columns` at its spaces. Further lines are indented to
/// the line's second column, if it has one that leaves room, or a little deeper than its
/// first. A word that is wider than a line is not broken, so that it can be copied. Styles and
/// our links have no width.
std::string FoldLines(std::string_view text, std::size_t columns);

}  // namespace sibyl::interface
