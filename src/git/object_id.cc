// SPDX-License-Identifier: Apache-2.0
#include "git/object_id.h"

namespace sibyl::git {
namespace {

int DigitValue(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

}  // namespace

std::string ObjectId::Hex() const {
  constexpr std::string_view kDigitNames = "0123456789abcdef";
  std::string text;
  text.reserve(kDigits);
  for (const std::uint8_t byte : bytes) {
    text += kDigitNames[byte >> 4];
    text += kDigitNames[byte & 15];
  }
  return text;
}

std::optional<ObjectId> ObjectId::FromHex(std::string_view digits) {
  if (digits.size() != kDigits) return std::nullopt;
  ObjectId id;
  for (std::size_t i = 0; i < kBytes; ++i) {
    const int high = DigitValue(digits[2 * i]);
    const int low = DigitValue(digits[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    id.bytes[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return id;
}

ObjectId ObjectId::FromRaw(const char* raw) {
  ObjectId id;
  std::memcpy(id.bytes.data(), raw, kBytes);
  return id;
}

}  // namespace sibyl::git
