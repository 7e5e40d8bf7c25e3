// SPDX-License-Identifier: Apache-2.0
// Bytes as hexadecimal digits, as hashes are written. One digit is read by
// HexValue of base/ascii.h.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "base/ascii.h"

namespace sibyl {

/// Two lower-case digits for each byte.
std::string HexOf(std::span<const unsigned char> bytes);

/// Whether all bytes are 0 to 9 or a to f; true for an empty text.
inline bool IsLowerHex(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return IsDigit(c) || (c >= 'a' && c <= 'f'); });
}

/// A sha256 as HexOf writes it.
inline bool IsSha256(std::string_view text) { return text.size() == 64 && IsLowerHex(text); }

}  // namespace sibyl
