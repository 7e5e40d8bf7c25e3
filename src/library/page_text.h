// SPDX-License-Identifier: Apache-2.0
// External text on generated pages: titles, points, reasons. It must not become
// markup or end a block or a table.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sibyl::library {

/// One line of Markdown that shows `text`: white space and controls become a
/// space, markup is escaped, text longer than `most` bytes is cut at a
/// character with "…".
std::string PlainLine(std::string_view text, std::size_t most = 300);

/// "../../cuda/01-x.md": from a folder of the oracle to a file of it, both
/// relative to the oracle. Blanks and brackets are percent-encoded.
std::string LinkFrom(std::string_view folder, std::string_view file);

}  // namespace sibyl::library
