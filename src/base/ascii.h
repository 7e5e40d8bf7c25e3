// SPDX-License-Identifier: Apache-2.0
// What kind of byte an ASCII character is, whatever the locale. Bytes of other
// characters are none of these.
#pragma once

namespace sibyl {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool IsLetter(char c) { return IsLower(c) || IsUpper(c); }
constexpr bool IsAlphanumeric(char c) { return IsLetter(c) || IsDigit(c); }

/// The first byte, and any byte, of a name in most programming languages.
constexpr bool IsNameStart(char c) { return IsLetter(c) || c == '_'; }
constexpr bool IsNameByte(char c) { return IsNameStart(c) || IsDigit(c); }

/// Space, tab, line feed, vertical tab, form feed, carriage return.
constexpr bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// 0 to 15; -1 if it is not a hexadecimal digit.
constexpr int HexValue(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace sibyl
