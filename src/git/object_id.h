// SPDX-License-Identifier: Apache-2.0
// The name git gives to an object: twenty bytes, forty hexadecimal digits.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sibyl::git {

struct ObjectId {
  static constexpr std::size_t kBytes = 20;
  static constexpr std::size_t kDigits = 2 * kBytes;

  std::array<std::uint8_t, kBytes> bytes{};

  auto operator<=>(const ObjectId&) const = default;  // NOLINT(modernize-use-nullptr)

  /// Forty lower-case digits.
  std::string Hex() const;

  /// Exactly forty lower-case digits, as the SWHID grammar has them.
  static std::optional<ObjectId> FromHex(std::string_view digits);

  /// The first twenty bytes of `raw`, which must have that many.
  static ObjectId FromRaw(const char* raw);
};

}  // namespace sibyl::git

template <>
struct std::hash<sibyl::git::ObjectId> {
  std::size_t operator()(const sibyl::git::ObjectId& id) const noexcept {
    // The id is itself a hash: any eight of its bytes serve.
    std::size_t value = 0;
    std::memcpy(&value, id.bytes.data(), sizeof(value));
    return value;
  }
};
