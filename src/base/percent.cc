// SPDX-License-Identifier: Apache-2.0
#include "base/percent.h"

namespace sibyl {
namespace {

constexpr std::string_view kUpperDigits = "0123456789ABCDEF";

}  // namespace

void AppendPercent(std::string& encoded, char byte) {
  const auto value = static_cast<unsigned char>(byte);
  encoded += '%';
  encoded += kUpperDigits[value >> 4];
  encoded += kUpperDigits[value & 15];
}

std::string EncodeQualifier(std::string_view value) {
  return EncodePercent(value, [](char letter) {
    return letter > ' ' && letter < '\x7f' && letter != ';' && letter != '%' && letter != '<' &&
           letter != '>';
  });
}

std::string EncodeUrlValue(std::string_view bytes) { return EncodePercent(bytes, IsUnreserved); }

std::string EncodeUriPath(std::string_view path) {
  return EncodePercent(path, [](char letter) { return IsUnreserved(letter) || letter == '/'; });
}

std::string EncodeUrlPath(std::string_view path) {
  return EncodePercent(path, [](char letter) {
    constexpr std::string_view kKept = "/+@=,";
    return IsUnreserved(letter) || kKept.find(letter) != std::string_view::npos;
  });
}

std::optional<char> DecodedByte(std::string_view text, std::size_t at) {
  if (text.size() < 3 || at > text.size() - 3 || text[at] != '%') return std::nullopt;
  const int high = HexValue(text[at + 1]);
  const int low = HexValue(text[at + 2]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<char>(high << 4 | low);
}

std::optional<std::string> DecodePercent(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    const std::optional<char> byte = DecodedByte(text, i);
    if (!byte) return std::nullopt;
    decoded += *byte;
    i += 2;
  }
  return decoded;
}

std::string DecodePercentLeniently(std::string_view text, PlusSign plus) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (const std::optional<char> byte = DecodedByte(text, i)) {
      decoded += *byte;
      i += 2;
    } else {
      decoded += plus == PlusSign::kSpace && text[i] == '+' ? ' ' : text[i];
    }
  }
  return decoded;
}

}  // namespace sibyl
