// SPDX-License-Identifier: Apache-2.0
#include "base/one_line.h"

#include "base/utf8.h"

namespace sibyl {

std::string OneLine(std::string_view text, std::size_t most) {
  std::string line;
  bool has_blank = false;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character character = DecodeUtf8(text.substr(at));
    const std::string_view bytes = text.substr(at, character.bytes);
    at += character.bytes;
    if (!character.is_valid || static_cast<unsigned char>(bytes[0]) <= ' ' || bytes[0] == 0x7f) {
      has_blank = !line.empty();
      continue;
    }
    const std::size_t blank = has_blank ? 1 : 0;
    if (line.size() + blank + bytes.size() > most) return line + "…";
    if (has_blank) line += ' ';
    has_blank = false;
    line += bytes;
  }
  return line;
}

}  // namespace sibyl
