// SPDX-License-Identifier: Apache-2.0
#include "injection/instruction_fold.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/utf8.h"
#include "injection/letters.h"

namespace sibyl::injection {
namespace {

// A numeric or a common named entity at the start of `text`; no bytes if none.
struct Entity {
  char32_t code_point = 0;
  std::size_t bytes = 0;
  bool is_numeric = false;
};

Entity NumericEntity(std::string_view text) {
  const bool is_hex = text.size() > 2 && (text[2] == 'x' || text[2] == 'X');
  const char32_t base = is_hex ? 16 : 10;
  std::size_t at = is_hex ? 3 : 2;
  const std::size_t first_digit = at;
  while (at < text.size() && text[at] == '0') ++at;
  const std::size_t first = at;
  char32_t value = 0;
  for (; at < text.size() && at < first + 7; ++at) {
    const int digit = HexValue(text[at]);
    if (digit < 0 || static_cast<char32_t>(digit) >= base) break;
    value = value * base + static_cast<char32_t>(digit);
  }
  if (at == first_digit || value > 0x10FFFF || value == 0) return {};
  if (at < text.size() && text[at] == ';') ++at;
  return {.code_point = value, .bytes = at, .is_numeric = true};
}

Entity EntityAt(std::string_view text) {
  if (text.size() < 3) return {};
  if (text[1] == '#') return NumericEntity(text);
  struct Named {
    std::string_view name;
    char32_t code_point;
  };
  static constexpr std::array kNamed = {
      Named{"amp;", '&'},     Named{"lt;", '<'},
      Named{"gt;", '>'},      Named{"quot;", '"'},
      Named{"apos;", '\''},   Named{"nbsp;", ' '},
      Named{"shy;", 0xAD},    Named{"zwnj;", 0x200C},
      Named{"zwj;", 0x200D},  Named{"ZeroWidthSpace;", 0x200B},
      Named{"eacute;", 0xE9}, Named{"egrave;", 0xE8},
      Named{"agrave;", 0xE0}, Named{"ccedil;", 0xE7},
      Named{"ntilde;", 0xF1}, Named{"auml;", 0xE4},
      Named{"ouml;", 0xF6},   Named{"uuml;", 0xFC},
      Named{"szlig;", 0xDF},  Named{"aacute;", 0xE1},
      Named{"iacute;", 0xED}, Named{"oacute;", 0xF3},
      Named{"uacute;", 0xFA}, Named{"ecirc;", 0xEA},
      Named{"laquo;", 0xAB},  Named{"raquo;", 0xBB},
  };
  for (const Named& named : kNamed) {
    if (text.substr(1).starts_with(named.name)) {
      return {.code_point = named.code_point, .bytes = named.name.size() + 1};
    }
  }
  return {};
}

class Folder {
 public:
  explicit Folder(std::string_view text) : text_(text) { folded_.text.reserve(text.size() + 16); }

  FoldedText Fold() {
    std::size_t at = 0;
    while (at < text_.size()) {
      if (text_[at] == '&') {
        if (const Entity entity = EntityAt(text_.substr(at)); entity.bytes > 0) {
          // A line end that is written as an entity is not a line of the text.
          const char32_t c = entity.code_point == '\n' ? ' ' : entity.code_point;
          if (entity.is_numeric && c < 0x80 && IsLatinLetter(c)) ++folded_.entities;
          Take(c);
          at += entity.bytes;
          continue;
        }
      }
      const Utf8Character character = DecodeUtf8(text_.substr(at));
      Take(character.code_point);
      at += character.bytes;
    }
    EndWord();
    return std::move(folded_);
  }

 private:
  void Take(char32_t c) {
    if (c < 0x80) {
      if (IsLatinLetter(c)) return AddLetter(c);
      return AddOther(c);
    }
    if (TakeInvisible(c)) return;
    if (IsCombiningMark(c)) return;
    if (const char32_t plain = PlainLetter(c); plain != 0) {
      ++folded_.styled;
      return IsLatinLetter(plain) ? AddLetter(plain) : AddOther(plain);
    }
    if (const std::string_view ascii = AsciiOf(c); !ascii.empty()) {
      for (const char letter : ascii) AddLetter(static_cast<unsigned char>(letter));
      return;
    }
    const char32_t lower = LowerLetter(c);
    if (IsGreekOrCyrillic(lower)) return AddLetter(lower);
    AddOther(KanaOf(lower));
  }

  // True if it is not to be seen at all.
  bool TakeInvisible(char32_t c) {
    if (c == 0x1F3F4) flag_tags_ = 8;  // a flag's region is spelled in tags
    if (c >= 0xE0000 && c <= 0xE007F) {
      if (flag_tags_ > 0) {
        --flag_tags_;
        return true;
      }
      MarkLine();
      return true;
    }
    if (c >= 0xE0100 && c <= 0xE01EF) {  // one selects a glyph; several spell bytes
      if (++selectors_ > 2) MarkLine();
      return true;
    }
    selectors_ = 0;
    if (c != 0x1F3F4) flag_tags_ = 0;
    if (c == 0x202D || c == 0x202E) MarkLine();
    if (c == 0x200F && after_arabic_) return AddOther(' '), true;
    if (!IsInvisible(c)) return false;
    if (c != 0xAD && has_letter_) ++hidden_in_word_;
    return true;
  }

  void MarkLine() {
    std::vector<std::size_t>& lines = folded_.hidden_lines;
    if (lines.empty() || lines.back() != line_) lines.push_back(line_);
  }

  void AddLetter(char32_t c) {
    Reveal();
    word_.push_back(c);
    after_arabic_ = false;
  }

  void AddOther(char32_t c) {
    EndWord();
    if (c == '\n') ++line_;
    const bool is_letter = IsJoinedScript(c);
    if (is_letter) Reveal();
    hidden_in_word_ = 0;
    has_letter_ = is_letter;
    after_arabic_ = c >= 0x600 && c <= 0x6FF;
    Append(c);
  }

  // A letter follows: what was invisible before it was inside a word.
  void Reveal() {
    if (has_letter_) folded_.hidden += hidden_in_word_;
    hidden_in_word_ = 0;
    has_letter_ = true;
  }

  void Append(char32_t c) {
    // A voiced half-width kana is two characters.
    if (c == 0xFF9E || c == 0xFF9F) return;
    AppendUtf8(c, folded_.text);
  }

  void EndWord() {
    has_letter_ = false;
    if (word_.empty()) return;
    if (Unmix(word_)) ++folded_.mixed;
    for (const char32_t c : word_) Append(c);
    word_.clear();
  }

  std::string_view text_;
  FoldedText folded_;
  std::vector<char32_t> word_;
  std::size_t hidden_in_word_ = 0;
  bool has_letter_ = false;
  bool after_arabic_ = false;
  std::size_t line_ = 0;
  int flag_tags_ = 0;
  int selectors_ = 0;
};

// Joins words that are written with one separator after each letter.
class SpacedLetters {
 public:
  explicit SpacedLetters(std::string_view text) : text_(text) {}

  std::string Join(std::size_t& words) {
    std::string joined;
    joined.reserve(text_.size());
    std::size_t at = 0;
    while (at < text_.size()) {
      const std::size_t end = RunEnd(at);
      if (end == at) {
        const bool in_word = IsWordByte(text_[at]);
        do joined += text_[at++];
        while (in_word && at < text_.size() && IsWordByte(text_[at]));
        continue;
      }
      ++words;
      AppendRun(text_.substr(at, end - at), joined);
      at = end;
    }
    return joined;
  }

 private:
  static bool IsWordByte(char c) {
    const auto byte = static_cast<unsigned char>(c);
    const auto lower = static_cast<unsigned char>(byte | 0x20U);
    return byte >= 0x80 || (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9');
  }

  // The bytes of the single letter that is a word by itself at `at`; zero if none.
  std::size_t SingleAt(std::size_t at) const {
    if (at >= text_.size() || !IsWordByte(text_[at])) return 0;
    const auto byte = static_cast<unsigned char>(text_[at]);
    const std::size_t bytes = byte < 0x80 ? 1 : (byte >> 5U) == 6 ? 2 : 0;
    if (bytes == 0 || at + bytes > text_.size()) return 0;
    if (at > 0 && IsWordByte(text_[at - 1])) return 0;
    return at + bytes < text_.size() && IsWordByte(text_[at + bytes]) ? 0 : bytes;
  }

  static bool IsSeparator(char c) {
    return c == ' ' || c == '.' || c == '-' || c == '_' || c == '*';
  }

  std::size_t RunEnd(std::size_t begin) const {
    constexpr std::size_t kLeast = 5;
    constexpr std::size_t kWidestGap = 4;
    std::size_t letters = 0;
    std::size_t at = begin;
    std::size_t end = begin;
    while (const std::size_t bytes = SingleAt(at)) {
      ++letters;
      at += bytes;
      end = at;
      std::size_t gap = 0;
      while (at < text_.size() && IsSeparator(text_[at]) && gap < kWidestGap) ++at, ++gap;
      if (gap == 0) break;
    }
    return letters < kLeast ? begin : end;
  }

  // Letters without the single separators; longer ones, and another sign than
  // the first, end a word.
  static void AppendRun(std::string_view run, std::string& joined) {
    const auto first = std::find_if(run.begin(), run.end(), IsSeparator);
    for (std::size_t at = 0; at < run.size();) {
      if (!IsSeparator(run[at])) {
        joined += run[at++];
        continue;
      }
      const bool is_other = run[at] != *first;
      std::size_t gap = 0;
      while (at < run.size() && IsSeparator(run[at])) ++at, ++gap;
      if (gap > 1 || is_other) joined += ' ';
    }
  }

  std::string_view text_;
};

// The length of what is between two string constants that are one word together,
// as in "instruc" "tions": from the first closing quotation mark to the opening one
// of the second. Zero if `at` is not such a place.
std::size_t LiteralGap(std::string_view text, std::size_t at) {
  constexpr std::size_t kWidest = 24;
  const auto is_letter = [&](std::size_t i) {
    return i < text.size() && IsLatinLetter(static_cast<unsigned char>(text[i]));
  };
  if (text[at] != '"' || at == 0 || !is_letter(at - 1)) return 0;
  constexpr std::string_view kGap = " \t\n+";
  std::size_t next = at + 1;
  while (next < text.size() && next < at + kWidest && kGap.find(text[next]) != kGap.npos) ++next;
  return next > at + 1 && next < text.size() && text[next] == '"' && is_letter(next + 1)
             ? next + 1 - at
             : 0;
}

// Without such gaps; the ends of lines in them follow the word.
std::string JoinLiterals(std::string_view text) {
  std::string joined;
  joined.reserve(text.size());
  std::size_t line_ends = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t gap = LiteralGap(text, at)) {
      const std::string_view between = text.substr(at, gap);
      line_ends += static_cast<std::size_t>(std::count(between.begin(), between.end(), '\n'));
      at += gap;
      continue;
    }
    if (line_ends > 0 && !IsLatinLetter(static_cast<unsigned char>(text[at]))) {
      joined.append(std::exchange(line_ends, 0), '\n');
    }
    joined += text[at++];
  }
  joined.append(line_ends, '\n');
  return joined;
}

// What a byte means to NeedsFolding.
enum class ByteKind : std::uint8_t { kOther, kWord, kSeparator, kSpecial, kNotAscii };

constexpr std::array<ByteKind, 256> MakeByteKinds() {
  std::array<ByteKind, 256> kinds{};
  for (std::size_t c = 0; c < kinds.size(); ++c) {
    const std::size_t lower = c | 0x20U;
    if (c >= 0x80) {
      kinds[c] = ByteKind::kNotAscii;
    } else if ((lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9')) {
      kinds[c] = ByteKind::kWord;
    } else if (c == ' ' || c == '.' || c == '-' || c == '_' || c == '*') {
      kinds[c] = ByteKind::kSeparator;
    } else if (c == '&' || c == '"') {
      kinds[c] = ByteKind::kSpecial;
    }
  }
  return kinds;
}
constexpr std::array<ByteKind, 256> kByteKinds = MakeByteKinds();

}  // namespace

FoldedText FoldText(std::string_view text) {
  FoldedText folded = Folder(text).Fold();
  std::string joined = SpacedLetters(folded.text).Join(folded.spaced);
  folded.text = JoinLiterals(joined);
  return folded;
}

bool NeedsFolding(std::string_view text) {
  std::size_t singles = 0;  // letters that are words by themselves, one after the other
  std::size_t length = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const ByteKind kind = kByteKinds[static_cast<unsigned char>(text[at])];
    if (kind == ByteKind::kWord) {
      ++length;
      continue;
    }
    if (length > 0) singles = length == 1 ? singles + 1 : 0;
    length = 0;
    if (singles >= 5) return true;
    if (kind == ByteKind::kSeparator) continue;
    singles = 0;
    if (kind == ByteKind::kOther) continue;
    if (kind == ByteKind::kNotAscii) return true;
    if (text[at] == '&' ? EntityAt(text.substr(at)).bytes > 0 : LiteralGap(text, at) > 0)
      return true;
  }
  return length == 1 && singles >= 4;
}

}  // namespace sibyl::injection
