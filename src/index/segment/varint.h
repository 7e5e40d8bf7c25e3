// SPDX-License-Identifier: Apache-2.0
// Variable-length integers: seven bits per byte, low bits first.
#pragma once

#include <cstdint>
#include <string_view>

namespace sibyl::index {

/// Writes at most ten bytes; returns the end.
inline char* WriteVarint(std::uint64_t value, char* out) {
  for (; value >= 0x80; value >>= 7) *out++ = static_cast<char>(value | 0x80);
  *out++ = static_cast<char>(value);
  return out;
}

/// Reads a number from the front; false if there is none or it is too long.
inline bool ReadVarint(std::string_view& bytes, std::uint64_t& value) {
  if (!bytes.empty() && static_cast<unsigned char>(bytes[0]) < 0x80) {
    value = static_cast<unsigned char>(bytes[0]);
    bytes.remove_prefix(1);
    return true;
  }
  value = 0;
  for (unsigned shift = 0; shift < 63 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[0]);
    bytes.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

}  // namespace sibyl::index
