// SPDX-License-Identifier: Apache-2.0
// From the bytes of a page to UTF-8: what a byte order mark says, else the
// header, else the page itself, else what the bytes look like.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sibyl::page {

struct Decoded {
  std::string text;     ///< Valid UTF-8 without a byte order mark and without NUL.
  std::string charset;  ///< "utf-8", "windows-1252", …: what it was read as.
};

/// Never fails: bytes that mean nothing become U+FFFD. A name of a character
/// set that nobody knows counts as none.
Decoded DecodeCharset(std::string_view bytes, std::string_view content_type);

/// The beginning of a text, at most so many bytes and no half character.
std::string_view WholePrefix(std::string_view text, std::size_t most);

/// "text/html; charset=utf-8" without its parameters, in lower case.
std::string MediaTypeOf(std::string_view content_type);

}  // namespace sibyl::page
