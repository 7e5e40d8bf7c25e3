// SPDX-License-Identifier: Apache-2.0
// Text in columns of a terminal: cut, padded, wrapped. The text is valid UTF-8
// without control characters; foreign text goes through Harmless() first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sibyl::engine {

/// The text cut to `columns`, with "…" at the end if it was shortened: for
/// prose (paths use ElideMiddle).
std::string Shorten(std::string_view text, std::size_t columns);

/// Padded with spaces to `columns`; longer text stays as it is.
std::string PadRight(std::string_view text, std::size_t columns);
std::string PadLeft(std::string_view text, std::size_t columns);

/// "512 B", "1.4 kB", "3.0 MB", "2.1 GB"
std::string ShownBytes(std::uint64_t bytes);

struct WrapOptions {
  std::size_t columns = 80;      ///< Including the indents.
  std::size_t first_indent = 0;  ///< Of the first line; already written by the caller.
  std::size_t indent = 0;        ///< Of every further line.
};

/// Breaks at spaces; a word longer than the line is not broken. No line end
/// after the last line.
std::string Wrap(std::string_view text, const WrapOptions& options);

/// Words that are wider than `columns` with "…" in their middle, as paths are shortened: for text
/// that is wrapped in a narrow column, where a long word would be broken by the terminal.
std::string ShortenWords(std::string_view text, std::size_t columns);

}  // namespace sibyl::engine
