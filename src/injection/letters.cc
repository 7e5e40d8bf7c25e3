// SPDX-License-Identifier: Apache-2.0
#include "injection/letters.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace sibyl::injection {
namespace {

using Pair = std::pair<char32_t, char>;

// Cyrillic, in lower case except where only the capital looks Latin; then Armenian.
constexpr std::array kCyrillic = {
    Pair{U'а', 'a'}, Pair{U'с', 'c'}, Pair{U'е', 'e'}, Pair{U'о', 'o'}, Pair{U'р', 'p'},
    Pair{U'х', 'x'}, Pair{U'у', 'y'}, Pair{U'і', 'i'}, Pair{U'ј', 'j'}, Pair{U'ѕ', 's'},
    Pair{U'ԁ', 'd'}, Pair{U'һ', 'h'}, Pair{U'ԛ', 'q'}, Pair{U'ԝ', 'w'}, Pair{U'ӏ', 'l'},
    Pair{U'ѵ', 'v'}, Pair{U'в', 'b'}, Pair{U'к', 'k'}, Pair{U'м', 'm'}, Pair{U'н', 'h'},
    Pair{U'т', 't'}, Pair{U'г', 'r'}, Pair{U'п', 'n'}, Pair{U'ո', 'n'}, Pair{U'օ', 'o'},
    Pair{U'ս', 'u'}, Pair{U'հ', 'h'},
};
constexpr std::array kGreek = {
    Pair{U'α', 'a'}, Pair{U'β', 'b'}, Pair{U'ε', 'e'}, Pair{U'ζ', 'z'}, Pair{U'η', 'h'},
    Pair{U'ι', 'i'}, Pair{U'κ', 'k'}, Pair{U'μ', 'm'}, Pair{U'ν', 'n'}, Pair{U'ο', 'o'},
    Pair{U'ρ', 'p'}, Pair{U'τ', 't'}, Pair{U'υ', 'y'}, Pair{U'χ', 'x'}, Pair{U'ω', 'w'},
    Pair{U'γ', 'y'}, Pair{U'ϲ', 'c'}, Pair{U'ϳ', 'j'},
};

char FromTable(char32_t c) {
  for (const Pair& pair : kCyrillic) {
    if (pair.first == c) return pair.second;
  }
  for (const Pair& pair : kGreek) {
    if (pair.first == c) return pair.second;
  }
  return 0;
}

// The Cyrillic letter that looks like a Latin one; zero if there is none.
char32_t CyrillicOf(char32_t c) {
  const auto lower = static_cast<char>(c | 0x20U);
  constexpr std::string_view kLatin = "aceopxyibkmht";
  constexpr std::u32string_view kSame = U"асеорхуівкмнт";
  const std::size_t at = kLatin.find(lower);
  return at == std::string_view::npos ? 0 : kSame[at];
}

bool HasRare(const std::vector<char32_t>& word) {
  constexpr std::u32string_view kRare = U"ѕјԁһԛԝӏ";
  return std::any_of(word.begin(), word.end(),
                     [&](char32_t c) { return kRare.find(c) != std::u32string_view::npos; });
}

bool IsGreek(char32_t c) { return c >= 0x370 && c <= 0x3FF; }

// U+00C0 to U+017F without accents.
constexpr std::array<std::string_view, 192> kLatinLetters = {
    "A", "A", "A",  "A",  "A", "A", "AE", "C", "E", "E", "E", "E", "I", "I", "I", "I",   // C0
    "D", "N", "O",  "O",  "O", "O", "O",  "",  "O", "U", "U", "U", "U", "Y", "T", "ss",  // D0
    "a", "a", "a",  "a",  "a", "a", "ae", "c", "e", "e", "e", "e", "i", "i", "i", "i",   // E0
    "d", "n", "o",  "o",  "o", "o", "o",  "",  "o", "u", "u", "u", "u", "y", "t", "y",   // F0
    "A", "a", "A",  "a",  "A", "a", "C",  "c", "C", "c", "C", "c", "C", "c", "D", "d",   // 100
    "D", "d", "E",  "e",  "E", "e", "E",  "e", "E", "e", "E", "e", "G", "g", "G", "g",   // 110
    "G", "g", "G",  "g",  "H", "h", "H",  "h", "I", "i", "I", "i", "I", "i", "I", "i",   // 120
    "I", "i", "IJ", "ij", "J", "j", "K",  "k", "k", "L", "l", "L", "l", "L", "l", "L",   // 130
    "l", "L", "l",  "N",  "n", "N", "n",  "N", "n", "n", "N", "n", "O", "o", "O", "o",   // 140
    "O", "o", "OE", "oe", "R", "r", "R",  "r", "R", "r", "S", "s", "S", "s", "S", "s",   // 150
    "S", "s", "T",  "t",  "T", "t", "T",  "t", "U", "u", "U", "u", "U", "u", "U", "u",   // 160
    "U", "u", "U",  "u",  "W", "w", "Y",  "y", "Y", "Z", "z", "Z", "z", "Z", "z", "s",   // 170
};

bool IsIn(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

}  // namespace

bool IsInvisible(char32_t c) {
  return c == 0xAD || c == 0x34F || c == 0x61C || c == 0x180E || IsIn(c, 0x200B, 0x200F) ||
         IsIn(c, 0x202A, 0x202E) || IsIn(c, 0x2060, 0x206F) || c == 0xFEFF || c == 0x3164 ||
         c == 0x115F || c == 0x1160 || IsIn(c, 0xFE00, 0xFE0F);
}

bool IsCombiningMark(char32_t c) {
  return IsIn(c, 0x300, 0x36F) || IsIn(c, 0x483, 0x489) || IsIn(c, 0x64B, 0x65F) || c == 0x670 ||
         c == 0x640 || IsIn(c, 0x1AB0, 0x1AFF) || IsIn(c, 0x1DC0, 0x1DFF) ||
         IsIn(c, 0x20D0, 0x20FF) || c == 0x3099 || c == 0x309A;
}

char32_t PlainLetter(char32_t c) {
  const auto letter = [](char32_t offset) {
    return static_cast<char32_t>(offset < 26 ? U'A' + offset : U'a' + offset - 26);
  };
  if (IsIn(c, 0xFF01, 0xFF5E)) return c - 0xFF01 + '!';
  if (IsIn(c, 0x1D400, 0x1D6A3)) return letter((c - 0x1D400) % 52);
  if (IsIn(c, 0x1D7CE, 0x1D7FF)) return '0' + (c - 0x1D7CE) % 10;
  if (IsIn(c, 0x24B6, 0x24E9)) return letter(c - 0x24B6);
  if (IsIn(c, 0x249C, 0x24B5)) return 'a' + (c - 0x249C);
  for (const char32_t first : {0x1F110U, 0x1F130U, 0x1F150U, 0x1F170U, 0x1F1E6U}) {
    if (IsIn(c, first, first + 25)) return 'A' + (c - first);
  }
  constexpr std::u32string_view kSmall = U"ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢℊℎℓ";
  constexpr std::string_view kPlain = "abcdefghijklmnoprstuvwyzghl";
  const std::size_t at = kSmall.find(c);
  return at == std::u32string_view::npos ? 0 : static_cast<unsigned char>(kPlain[at]);
}

std::string_view AsciiOf(char32_t c) {
  if (IsIn(c, 0xC0, 0x17F)) return kLatinLetters[c - 0xC0];
  switch (c) {
    case 0xFB00:
      return "ff";
    case 0xFB01:
      return "fi";
    case 0xFB02:
      return "fl";
    case 0xFB03:
      return "ffi";
    case 0xFB04:
      return "ffl";
    case 0x1E9E:
      return "ss";
    case 0x261:
      return "g";
    case 0x251:
      return "a";
    case 0x131:
      return "i";
    default:
      return {};
  }
}

char32_t LowerLetter(char32_t c) {
  if (IsIn(c, 0x410, 0x42F)) return c + 0x20;
  if (IsIn(c, 0x400, 0x40F)) c += 0x50;
  if (IsIn(c, 0x391, 0x3A9)) return c + 0x20;
  if (c == U'ё') return U'е';
  if (c == U'ς') return U'σ';
  if (IsIn(c, 0x460, 0x52F) && (c & 1U) == 0) return c + 1;
  if (c == 0x622 || c == 0x623 || c == 0x625 || c == 0x671) return 0x627;
  if (c == 0x629) return 0x647;
  if (c == 0x649) return 0x64A;
  return c;
}

bool IsGreekOrCyrillic(char32_t c) {
  return IsIn(c, 0x370, 0x3FF) || IsIn(c, 0x400, 0x52F) || IsIn(c, 0x561, 0x586);
}

char32_t KanaOf(char32_t c) {
  constexpr std::u32string_view kKana =
      U"ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメ"
      U"モヤユヨラリルレロワン";
  return IsIn(c, 0xFF66, 0xFF9D) ? kKana[c - 0xFF66] : c;
}

bool IsJoinedScript(char32_t c) {
  return IsIn(c, 0x3041, 0x30FF) || IsIn(c, 0x3400, 0x9FFF) || IsIn(c, 0xAC00, 0xD7A3) ||
         IsIn(c, 0x620, 0x64A) || IsIn(c, 0xF900, 0xFAFF);
}

bool Unmix(std::vector<char32_t>& word) {
  std::size_t latin = 0;
  std::size_t foreign = 0;
  bool fits_latin = true;
  bool fits_cyrillic = true;
  bool is_greek = false;
  for (const char32_t c : word) {
    if (IsLatinLetter(c)) {
      ++latin;
      fits_cyrillic = fits_cyrillic && CyrillicOf(c) != 0;
    } else {
      ++foreign;
      is_greek = is_greek || IsGreek(c);
      fits_latin = fits_latin && FromTable(c) != 0;
    }
  }
  // A whole word of Greek letters that all look Latin is not Greek either, and one
  // with Cyrillic letters that Russian does not have need not be Russian.
  const bool is_mixed = latin > 0 && foreign > 0;
  const bool is_disguised =
      latin == 0 && word.size() > 1 && (is_greek || (fits_latin && HasRare(word)));
  if (!is_mixed && !is_disguised) return false;
  const bool is_mostly_cyrillic = !is_greek && fits_cyrillic && foreign > latin;
  if (fits_latin && !is_mostly_cyrillic) {
    for (char32_t& c : word) {
      if (!IsLatinLetter(c)) c = static_cast<unsigned char>(FromTable(c));
    }
    return word.size() > 2;
  }
  if (is_greek || !fits_cyrillic) return false;
  for (char32_t& c : word) {
    if (IsLatinLetter(c)) c = CyrillicOf(c);
  }
  return word.size() > 2;
}

}  // namespace sibyl::injection
