// SPDX-License-Identifier: Apache-2.0
#include "injection/instruction_decode.h"

#include "base/strings.h"
#include "injection/letters.h"

namespace sibyl::injection {
namespace {

int Base64Value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  return c == '/' || c == '_' ? 63 : -1;
}

// All runs of base64 that are long enough for a sentence, decoded.
std::string DecodeBase64(std::string_view text) {
  constexpr std::size_t kShortest = 16;
  std::string decoded;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && Base64Value(text[end]) >= 0) ++end;
    if (end - at >= kShortest) {
      unsigned bits = 0;
      int count = 0;
      for (; at < end; ++at) {
        bits = bits << 6U | static_cast<unsigned>(Base64Value(text[at]));
        count += 6;
        if (count < 8) continue;
        count -= 8;
        const auto byte = static_cast<char>(bits >> static_cast<unsigned>(count) & 0xFFU);
        decoded += byte == '\n' ? ' ' : byte;
      }
      decoded += ' ';
    }
    at = end + 1;
  }
  return decoded;
}

std::string DecodeRot13(std::string_view text) {
  std::string decoded(text);
  for (char& c : decoded) {
    if (!IsLatinLetter(static_cast<unsigned char>(c))) continue;
    const char first = c >= 'a' ? 'a' : 'A';
    c = static_cast<char>(first + (c - first + 13) % 26);
  }
  return decoded;
}

}  // namespace

std::vector<std::string> DecodedTexts(std::string_view text) {
  std::vector<std::string> decoded;
  if (std::string plain = DecodeBase64(text); !plain.empty()) decoded.push_back(std::move(plain));
  const std::string lower = LowerCase(text);
  if (lower.find("rot13") != std::string::npos || lower.find("rot-13") != std::string::npos) {
    decoded.push_back(DecodeRot13(text));
  }
  return decoded;
}

}  // namespace sibyl::injection
