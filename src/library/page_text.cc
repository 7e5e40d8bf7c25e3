// SPDX-License-Identifier: Apache-2.0
#include "library/page_text.h"

#include <filesystem>

#include "base/percent.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace sibyl::library {

std::string PlainLine(std::string_view text, std::size_t most) {
  constexpr std::string_view kMarkup = "\\`*_[]<>|~#";
  std::string line;
  std::size_t shown = 0;
  text = Trim(text);
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character character = DecodeUtf8(text.substr(at));
    const char c = text[at];
    if (shown + character.bytes > most) {
      while (line.ends_with(' ')) line.pop_back();
      return line + "…";
    }
    const bool is_blank = static_cast<unsigned char>(c) <= ' ' || c == 0x7f || !character.is_valid;
    if (is_blank) {
      if (!line.ends_with(' ')) line += ' ';
    } else if (c == '<') {
      line += "&lt;";  // must not look like one of our comments, not even escaped
    } else if (c == '&') {
      line += "&amp;";
    } else {
      if (kMarkup.find(c) != std::string_view::npos) line += '\\';
      line += text.substr(at, character.bytes);
    }
    at += character.bytes;
    shown += character.bytes;
  }
  return line;
}

std::string LinkFrom(std::string_view folder, std::string_view file) {
  const std::filesystem::path from = folder.empty() ? std::filesystem::path(".") : folder;
  const std::string relative =
      std::filesystem::path(file).lexically_relative(from).generic_string();
  return EncodePercent(relative, [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != 0x7f &&
           std::string_view("()<>[]\\%\"'`|").find(c) == std::string_view::npos;
  });
}

}  // namespace sibyl::library
