// SPDX-License-Identifier: Apache-2.0
// Numbers in as few bytes as they need: seven bits in each, low bits first.
#pragma once

#include <cstdint>
#include <string_view>

namespace sibyl::index {

/// Into at most ten bytes; where the next one goes.
inline char* WriteVarint(std::uint64_t value, char* out) {
  for (; value >= 0x80; value >>= 7) *out++ = static_cast<char>(value | 0x80);
  *out++ = static_cast<char>(value);
  return out;
}

/// Takes a number off the front; false if there is none or it is over-long.
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
