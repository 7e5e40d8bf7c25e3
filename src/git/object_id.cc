// SPDX-License-Identifier: Apache-2.0
#include "git/object_id.h"

#include "base/ascii.h"
#include "base/hex.h"

namespace sibyl::git {

std::string ObjectId::Hex() const { return HexOf(bytes); }

std::optional<ObjectId> ObjectId::FromHex(std::string_view digits) {
  if (digits.size() != kDigits || !IsLowerHex(digits)) return std::nullopt;
  ObjectId id;
  for (std::size_t i = 0; i < kBytes; ++i) {
    id.bytes[i] =
        static_cast<std::uint8_t>(HexValue(digits[2 * i]) << 4 | HexValue(digits[2 * i + 1]));
  }
  return id;
}

ObjectId ObjectId::FromRaw(const char* raw) {
  ObjectId id;
  std::memcpy(id.bytes.data(), raw, kBytes);
  return id;
}

}  // namespace sibyl::git
