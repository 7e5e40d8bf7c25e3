// SPDX-License-Identifier: Apache-2.0
#include "statement/plain_character.h"

#include <array>
#include <string_view>

namespace sibyl::statement {
namespace {

constexpr bool IsIn(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

std::string One(char32_t ascii) { return {static_cast<char>(ascii)}; }

// The zeros of scripts whose digits follow each other.
constexpr std::array<char32_t, 36> kZeros = {
    0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6,
    0x0C66, 0x0CE6, 0x0D66, 0x0DE6, 0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090,
    0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40,
    0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xAA50, 0xABF0, 0xFF10, 0x104A0};

std::optional<std::string> Digit(char32_t c) {
  if (c < 0x660) return std::nullopt;
  for (const char32_t zero : kZeros) {
    if (IsIn(c, zero, zero + 9)) return One('0' + c - zero);
  }
  if (IsIn(c, 0x1D7CE, 0x1D7FF)) return One('0' + (c - 0x1D7CE) % 10);
  if (IsIn(c, 0x1FBF0, 0x1FBF9)) return One('0' + c - 0x1FBF0);
  return std::nullopt;
}

// Circled, in parentheses, with a full stop, negative, double.
std::optional<std::string> EnclosedNumber(char32_t c) {
  constexpr std::array<char32_t, 6> kOnes = {0x2460, 0x2474, 0x2488, 0x2776, 0x2780, 0x278A};
  for (const char32_t one : kOnes) {
    const char32_t most = one < 0x2700 ? 20 : 10;
    if (IsIn(c, one, one + most - 1)) return std::to_string(c - one + 1);
  }
  if (IsIn(c, 0x24EB, 0x24F4)) return std::to_string(c - 0x24EB + 11);
  if (IsIn(c, 0x24F5, 0x24FE)) return std::to_string(c - 0x24F5 + 1);
  if (c == 0x24EA || c == 0x24FF) return "0";
  return std::nullopt;
}

std::optional<std::string> Roman(char32_t c) {
  constexpr std::array<std::string_view, 12> kNumerals = {"I",   "II",   "III", "IV", "V",  "VI",
                                                          "VII", "VIII", "IX",  "X",  "XI", "XII"};
  if (IsIn(c, 0x2160, 0x216B)) return std::string(kNumerals[c - 0x2160]);
  return std::nullopt;
}

std::optional<std::string> Fraction(char32_t c) {
  switch (c) {
    case 0xBC:
      return "1/4";
    case 0xBD:
      return "1/2";
    case 0xBE:
      return "3/4";
    case 0x2153:
      return "1/3";
    case 0x2154:
      return "2/3";
    case 0x215B:
      return "1/8";
    default:
      return std::nullopt;
  }
}

std::optional<std::string> Letter(char32_t c) {
  const auto letter = [](char32_t offset) {
    return One(offset < 26 ? U'A' + offset : U'a' + offset - 26);
  };
  if (IsIn(c, 0xFF01, 0xFF5E)) return One(c - 0xFF01 + '!');
  if (IsIn(c, 0x1D400, 0x1D6A3)) return letter((c - 0x1D400) % 52);
  if (IsIn(c, 0x24B6, 0x24E9)) return letter(c - 0x24B6);
  if (IsIn(c, 0x249C, 0x24B5)) return One('a' + (c - 0x249C));
  for (const char32_t first : {0x1F110U, 0x1F130U, 0x1F150U, 0x1F170U}) {
    if (IsIn(c, first, first + 25)) return One('A' + (c - first));
  }
  constexpr std::array<std::string_view, 7> kLigatures = {"ff",  "fi", "fl", "ffi",
                                                          "ffl", "st", "st"};
  if (IsIn(c, 0xFB00, 0xFB06)) return std::string(kLigatures[c - 0xFB00]);
  return std::nullopt;
}

bool IsSpace(char32_t c) {
  return c == 0xA0 || c == 0x1680 || IsIn(c, 0x2000, 0x200A) || c == 0x202F || c == 0x205F ||
         c == 0x3000 || c == 0x2028 || c == 0x2029 || c == 0x2800;
}

}  // namespace

bool IsInvisible(char32_t c) {
  if (c < 0xAD) return false;
  return c == 0xAD || c == 0x34F || c == 0x61C || c == 0x115F || c == 0x1160 || c == 0x17B4 ||
         c == 0x17B5 || IsIn(c, 0x180B, 0x180F) || IsIn(c, 0x200B, 0x200F) ||
         IsIn(c, 0x202A, 0x202E) || IsIn(c, 0x2060, 0x206F) || c == 0x3164 ||
         IsIn(c, 0xFE00, 0xFE0F) || c == 0xFEFF || c == 0xFFA0 || IsIn(c, 0xFFF9, 0xFFFB) ||
         IsIn(c, 0x1D173, 0x1D17A) || IsIn(c, 0xE0000, 0xE0FFF);
}

bool IsStrikingMark(char32_t c) {
  return IsIn(c, 0x334, 0x338) || IsIn(c, 0x20D2, 0x20D3) || IsIn(c, 0x20E5, 0x20E6) ||
         IsIn(c, 0x20EA, 0x20EB);
}

std::optional<int> RaisedDigit(char32_t c) {
  if (c == 0xB9) return 1;
  if (c == 0xB2 || c == 0xB3) return static_cast<int>(c - 0xB0);
  if (c == 0x2070 || IsIn(c, 0x2074, 0x2079)) return static_cast<int>(c - 0x2070);
  if (IsIn(c, 0x2080, 0x2089)) return static_cast<int>(c - 0x2080);
  return std::nullopt;
}

std::optional<std::string> PlainForm(char32_t c) {
  if (c < 0xA0) return std::nullopt;
  if (IsInvisible(c)) return "";
  if (IsSpace(c)) return " ";
  if (auto digit = Digit(c)) return digit;
  if (auto number = EnclosedNumber(c)) return number;
  if (auto roman = Roman(c)) return roman;
  if (auto fraction = Fraction(c)) return fraction;
  return Letter(c);
}

}  // namespace sibyl::statement
