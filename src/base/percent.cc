// SPDX-License-Identifier: Apache-2.0
#include "base/percent.h"

#include <cstddef>

#include "base/ascii.h"

namespace sibyl {
namespace {

constexpr std::string_view kUpperDigits = "0123456789ABCDEF";

template <typename Predicate>
std::string Encode(std::string_view text, Predicate plain) {
  std::string encoded;
  encoded.reserve(text.size());
  for (const char letter : text) {
    if (plain(letter)) {
      encoded += letter;
      continue;
    }
    const auto byte = static_cast<unsigned char>(letter);
    encoded += '%';
    encoded += kUpperDigits[byte >> 4];
    encoded += kUpperDigits[byte & 15];
  }
  return encoded;
}

}  // namespace

std::string EncodeQualifier(std::string_view value) {
  return Encode(value, [](char letter) {
    return letter > ' ' && letter < '\x7f' && letter != ';' && letter != '%' && letter != '<' &&
           letter != '>';
  });
}

std::string EncodeUrlPath(std::string_view path) {
  return Encode(path, [](char letter) {
    constexpr std::string_view kKept = "/-._~+@=,";
    return IsAlphanumeric(letter) || kKept.find(letter) != std::string_view::npos;
  });
}

std::optional<std::string> DecodePercent(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    if (text.size() - i < 3) return std::nullopt;
    const int high = HexValue(text[i + 1]);
    const int low = HexValue(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    decoded += static_cast<char>(high << 4 | low);
    i += 2;
  }
  return decoded;
}

std::string DecodePercentLeniently(std::string_view text, PlusSign plus) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool has_two = text[i] == '%' && text.size() - i > 2;
    const int high = has_two ? HexValue(text[i + 1]) : -1;
    const int low = has_two ? HexValue(text[i + 2]) : -1;
    if (high >= 0 && low >= 0) {
      decoded += static_cast<char>(high << 4 | low);
      i += 2;
    } else {
      decoded += plus == PlusSign::kSpace && text[i] == '+' ? ' ' : text[i];
    }
  }
  return decoded;
}

}  // namespace sibyl
