// SPDX-License-Identifier: Apache-2.0
#include "plan/scan.h"

#include <array>

namespace sibyl::plan {

std::string_view TrimLeft(std::string_view text) {
  std::size_t begin = 0;
  while (begin < text.size() && IsSpace(text[begin])) ++begin;
  return text.substr(begin);
}

bool StartsWithWholeWord(std::string_view text, std::string_view word) {
  return StartsWithIgnoringCase(text, word) &&
         (text.size() == word.size() || !IsNameByte(text[word.size()]));
}

std::size_t FindIgnoringCase(std::string_view text, std::string_view word, std::size_t from) {
  if (word.empty() || text.size() < word.size()) return std::string_view::npos;
  const char lower = word[0];
  const char upper = lower >= 'a' && lower <= 'z' ? static_cast<char>(lower - 32) : lower;
  for (std::size_t i = from; i + word.size() <= text.size(); ++i) {
    if (text[i] != lower && text[i] != upper) continue;
    if (EqualsIgnoringCase(text.substr(i, word.size()), word)) return i;
  }
  return std::string_view::npos;
}

std::size_t FindWord(std::string_view text, std::string_view word, std::size_t from) {
  for (std::size_t at = FindIgnoringCase(text, word, from); at != std::string_view::npos;
       at = FindIgnoringCase(text, word, at + 1)) {
    const bool starts = at == 0 || !IsNameByte(text[at - 1]);
    const std::size_t end = at + word.size();
    if (starts && (end == text.size() || !IsNameByte(text[end]))) return at;
  }
  return std::string_view::npos;
}

unsigned SignsOf(std::string_view text) {
  static constexpr std::array<unsigned char, 256> kSigns = [] {
    std::array<unsigned char, 256> signs{};
    signs['/'] = kSlash;
    signs['"'] = signs['`'] = signs['\''] = signs[0xE2] = kQuote;
    signs[':'] = signs['='] = kColon;
    signs['('] = signs['{'] = kBracket;
    signs['.'] = kDot;
    signs['-'] = signs['_'] = kHyphen;
    return signs;
  }();
  unsigned found = 0;
  for (const char c : text) found |= kSigns[static_cast<unsigned char>(c)];
  return found;
}

std::size_t DashLength(std::string_view text) {
  if (text.substr(0, 3) == "–" || text.substr(0, 3) == "—") return 3;
  return !text.empty() && text[0] == '-' ? 1 : 0;
}

std::string_view SkipDecoration(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    const bool decoration = IsSpace(c) || c == '*' || c == '_' || c == '~' || c == '`' ||
                            static_cast<unsigned char>(c) >= 0x80;
    if (!decoration) break;
    ++at;
  }
  return text.substr(at);
}

std::string CleanText(std::string_view text) {
  // Many emoji are followed by a variation selector.
  static constexpr std::array<std::string_view, 8> kMarks = {"✅", "✓", "✔", "☑",
                                                             "🎉", "🔥", "⚡", "\xEF\xB8\x8F"};
  bool again = true;
  while (again) {
    again = false;
    text = Trim(text);
    const bool plain = text.empty() || (static_cast<unsigned char>(text.front()) < 0x80 &&
                                        static_cast<unsigned char>(text.back()) < 0x80);
    for (const std::string_view mark : kMarks) {
      if (plain) break;
      if (text.ends_with(mark)) {
        text.remove_suffix(mark.size());
        again = true;
      }
      if (text.starts_with(mark)) {
        text.remove_prefix(mark.size());
        again = true;
      }
    }
    // Emphasis that opens before the label, or closes after the text.
    if (text.ends_with("**") &&
        text.substr(0, text.size() - 2).find("**") == std::string_view::npos) {
      text.remove_suffix(2);
      again = true;
    }
    const bool bold = text.size() > 4 && text.starts_with("**") && text.ends_with("**") &&
                      text.substr(2, text.size() - 4).find("**") == std::string_view::npos;
    const bool code = text.size() > 2 && text.front() == '`' && text.back() == '`' &&
                      text.substr(1, text.size() - 2).find('`') == std::string_view::npos;
    if (bold || code) {
      const std::size_t width = bold ? 2 : 1;
      text = text.substr(width, text.size() - 2 * width);
      again = true;
    }
  }
  return std::string(text);
}

std::optional<Number> TakeNumber(std::string_view text) {
  Number number;
  std::size_t digits = 0;
  while (number.length < text.size()) {
    const char c = text[number.length];
    if (IsDigit(c)) {
      if (++digits > 9) return std::nullopt;
      number.value = number.value * 10 + static_cast<std::size_t>(c - '0');
    } else {
      // "1,600" is one number, "3, 4" and "1,60" are two.
      const bool thousands =
          c == ',' && digits > 0 && number.length + 3 < text.size() &&
          IsDigit(text[number.length + 1]) && IsDigit(text[number.length + 2]) &&
          IsDigit(text[number.length + 3]) &&
          (number.length + 4 == text.size() || !IsDigit(text[number.length + 4]));
      if (!thousands) break;
    }
    ++number.length;
  }
  if (digits == 0) return std::nullopt;
  return number;
}

}  // namespace sibyl::plan
