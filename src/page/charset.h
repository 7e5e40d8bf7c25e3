// SPDX-License-Identifier: Apache-2.0
// From the bytes of a page to UTF-8: by byte order mark, otherwise by the
// header, otherwise by the page itself, otherwise by guessing from the bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sibyl::page {

struct Decoded {
  std::string text;     ///< Valid UTF-8 without a byte order mark and without NUL.
  std::string charset;  ///< "utf-8", "windows-1252", …: what it was read as.
};

/// Never fails: invalid bytes become U+FFFD. An unknown character set name is
/// ignored.
Decoded DecodeCharset(std::string_view bytes, std::string_view content_type);

/// The beginning of a text, at most so many bytes and no half character.
std::string_view WholePrefix(std::string_view text, std::size_t most);

/// "text/html; charset=utf-8" without its parameters, in lower case.
std::string MediaTypeOf(std::string_view content_type);

}  // namespace sibyl::page
