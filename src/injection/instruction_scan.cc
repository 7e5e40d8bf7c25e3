// SPDX-License-Identifier: Apache-2.0
#include "injection/instruction_scan.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "base/utf8.h"
#include "injection/instruction_lexicon.h"
#include "injection/letters.h"

namespace sibyl::injection {
namespace {

bool IsAsciiWord(unsigned char c) {
  const auto lower = static_cast<unsigned char>(c | 0x20U);
  return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

class WordScanner {
 public:
  explicit WordScanner(std::string_view text) : text_(text) {
    scanned_.lower = text;
    LowerInPlace(scanned_.lower);
    scanned_.words.reserve(text.size() / 6);
    has_kana_ = text.find("\xE3\x81") != std::string_view::npos ||
                text.find("\xE3\x82") != std::string_view::npos ||
                text.find("\xE3\x83") != std::string_view::npos;
  }

  WrittenWords Scan() {
    while (at_ < text_.size()) Step();
    EndJoined();
    scanned_.sentences = sentence_ + 1;
    return std::move(scanned_);
  }

 private:
  unsigned char Byte(std::size_t at) const {
    return at < text_.size() ? static_cast<unsigned char>(text_[at]) : 0;
  }

  void Step() {
    const unsigned char c = Byte(at_);
    if (IsAsciiWord(c)) {
      EndJoined();
      return ReadWord();
    }
    if (c < 0x80) {
      if (c != ' ' && c != '\n' && c != '-' && c != '*') EndJoined();
      if (c == ' ' || c == '\n') boundary_ = true;
      Punctuation(c);
      ++at_;
      return;
    }
    const Utf8Character character = DecodeUtf8(text_.substr(at_));
    if (IsGreekOrCyrillic(character.code_point)) {
      EndJoined();
      return ReadWord();
    }
    if (IsJoinedScript(character.code_point)) {
      AddJoined(character.code_point);
    } else {
      EndJoined();
      WidePunctuation(character.code_point);
    }
    at_ += character.bytes;
  }

  // Latin or Cyrillic. Apostrophes are left out ("don't"), except after the short
  // words that French and Italian write so ("l'agent").
  void ReadWord() {
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      const unsigned char c = Byte(at_);
      if (IsAsciiWord(c)) {
        ++at_;
      } else if (c >= 0x80 && IsGreekOrCyrillic(DecodeUtf8(text_.substr(at_)).code_point)) {
        at_ += 2;
      } else if (c == '\'' && IsContraction()) {
        return EndWord(begin, true);
      } else {
        break;
      }
    }
    EndWord(begin, false);
  }

  void EndWord(std::size_t begin, bool has_apostrophe) {
    if (has_apostrophe) {  // "don't" is read as "dont", which moves what is before it
      std::size_t end = at_ + 1;
      while (end < text_.size() && IsAsciiWord(Byte(end))) ++end;
      for (std::size_t i = at_; i > begin; --i) scanned_.lower[i] = scanned_.lower[i - 1];
      at_ = end;
      ++begin;
    }
    WrittenWord word{.begin = static_cast<std::uint32_t>(begin),
                     .end = static_cast<std::uint32_t>(std::min(at_, text_.size())),
                     .position = ++position_,
                     .sentence = sentence_,
                     .line = line_,
                     .place = place_};
    if (in_quote_) word.place |= kQuoted;
    MarkNeighbours(word);
    scanned_.words.push_back(word);
    ++in_sentence_;
    place_ = 0;
  }

  // "don't", "you're", "model's": at most two letters follow. What follows in
  // "l'agent" and "all'utente" is a word.
  bool IsContraction() const {
    const auto is_word = [&](std::size_t by) { return IsAsciiWord(Byte(at_ + by)); };
    return is_word(1) && (!is_word(2) || !is_word(3));
  }

  // What is next to a word: brackets of chat formats, a comma after a name.
  void MarkNeighbours(WrittenWord& word) const {
    const auto is_one_of = [](std::string_view set, unsigned char c) {
      return c != 0 && set.find(static_cast<char>(c)) != std::string_view::npos;
    };
    const unsigned char before = word.begin > 0 ? Byte(word.begin - 1) : 0;
    const unsigned char after = Byte(word.end);
    if ((is_one_of("<[|", before) && is_one_of(">]|", after)) ||
        (before == '/' && is_one_of(">]", after))) {
      word.place |= kMarkup;
    }
    if ((word.place & kStart) != 0 && IsHeading(word)) word.place |= kMarkup;
    std::size_t next = word.end;
    while (Byte(next) == ' ') ++next;
    const unsigned char mark = Byte(next);
    const bool calls = mark == ':' || mark == ',' || mark == '>' ||
                       (mark == 0xEF && Byte(next + 1) == 0xBC);  // full-width colon, comma
    if (calls && in_sentence_ < 5) word.place |= kVocative;
    if (word.begin > 0 && before == '.' && (word.begin < 2 || !IsAsciiWord(Byte(word.begin - 2)))) {
      --word.begin;  // .env
    }
  }

  // "SYSTEM:", "[system notice]", "### Instruction:" at the start of a line.
  bool IsHeading(const WrittenWord& word) const {
    const std::string_view text = text_.substr(word.begin, word.end - word.begin);
    if (word.begin - line_begin_ > 80) return false;
    const std::string_view before = Trim(text_.substr(line_begin_, word.begin - line_begin_));
    const unsigned char after = Byte(word.end);
    if (before.ends_with("###") && after == ':') return true;
    if (before.size() > 3) return false;
    if (before.ends_with('[') || before.ends_with("<<")) return true;
    const bool is_loud =
        std::none_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    return is_loud && text.size() > 2 &&
           (after == ':' || text_.substr(word.end).starts_with(" >>"));
  }

  void Punctuation(unsigned char c) {
    switch (c) {
      case '\n':
        ++line_;
        line_begin_ = at_ + 1;
        break;
      case '.':
      case '!':
      case '?':
        if (Byte(at_ + 1) <= ' ' || Byte(at_ + 1) == '"' || Byte(at_ + 1) == '\'') EndSentence();
        break;
      case '"':
        in_quote_ = !in_quote_;
        place_ |= kStart;
        break;
      case ';':
        EndSentence();
        break;
      case ':':
      case '#':
      case '*':
      case '-':
      case '/':
      case '>':
      case '|':
        place_ |= kStart;
        break;
      default:
        break;
    }
  }

  void WidePunctuation(char32_t c) {
    constexpr std::u32string_view kOpen = U"„«「『【〈《";
    constexpr std::u32string_view kClose = U"”»」』】〉》";
    if (c == U'。' || c == U'；' || c == U'．' || c == U'؟' || c == U'…') EndSentence();
    if (c == U'“') in_quote_ = !in_quote_;
    if (kOpen.find(c) != std::u32string_view::npos) in_quote_ = true;
    if (kClose.find(c) != std::u32string_view::npos) in_quote_ = false;
    place_ |= kStart;
  }

  void EndSentence() {
    ++sentence_;
    place_ |= kStart;
    in_sentence_ = 0;
  }

  void AddJoined(char32_t c) {
    run_ += c;
    run_lines_.push_back(line_);
    run_starts_.push_back(boundary_);
    boundary_ = false;
  }

  Language LanguageOf(char32_t c) const {
    if (c >= 0xAC00 && c <= 0xD7A3) return Language::kKorean;
    if (c < 0x700) return Language::kArabic;
    return has_kana_ ? Language::kJapanese : Language::kChinese;
  }

  void EndJoined() {
    boundary_ = true;
    if (run_.empty()) return;
    const std::uint32_t first = position_;
    std::size_t known = 0;  // the end of the last word that was found
    for (std::size_t i = 0; i < run_.size();) {
      position_ = first + static_cast<std::uint32_t>(i / 2) + 1;
      WrittenWord word{.position = position_,
                       .sentence = sentence_,
                       .line = run_lines_[i],
                       .place = i == 0 ? place_ : 0,
                       .is_joined = true};
      if (in_quote_) word.place |= kQuoted;
      std::uint64_t hash = Lexicon::kHashStart;
      const bool is_arabic = LanguageOf(run_[i]) == Language::kArabic;
      const std::size_t begin = i;
      do {
        hash = (hash ^ run_[i]) * 0x100000001B3ULL;
        if (i >= known) word.joined_roles |= RolesAt(i, known);
        ++i;
      } while (is_arabic && i < run_.size() && !run_starts_[i]);
      if (is_arabic) hash = ArabicHash(begin, i);
      word.letter = ShortHash(hash);
      scanned_.words.push_back(word);
    }
    place_ = 0;
    ++in_sentence_;
    run_.clear();
    run_lines_.clear();
    run_starts_.clear();
  }

  // The roles of the longest word of the lists that begins at a letter.
  Roles RolesAt(std::size_t i, std::size_t& end) const {
    const Lexicon::Joined* joined =
        lexicon_.FindJoined(std::u32string_view(run_).substr(i), LanguageOf(run_[i]),
                            i == 0 || run_starts_[i] || run_starts_[i - 1]);
    if (joined == nullptr) return 0;
    end = i + joined->word.size();
    return joined->roles;
  }

  // Of a word without "and", "the" and the like, which are attached to it.
  std::uint64_t ArabicHash(std::size_t begin, std::size_t end) const {
    constexpr std::u32string_view kAttached = U"وفبلكا";
    constexpr std::size_t kShortest = 3;
    while (end - begin > kShortest && kAttached.find(run_[begin]) != kAttached.npos) ++begin;
    std::uint64_t hash = Lexicon::kHashStart;
    for (; begin < end; ++begin) hash = (hash ^ run_[begin]) * 0x100000001B3ULL;
    return hash;
  }

  const Lexicon& lexicon_ = Lexicon::Get();
  std::string_view text_;
  WrittenWords scanned_;
  bool has_kana_ = false;
  std::size_t at_ = 0;
  std::uint32_t position_ = 0;
  std::uint32_t sentence_ = 0;
  std::uint32_t line_ = 0;
  std::size_t line_begin_ = 0;
  std::uint32_t in_sentence_ = 0;
  Roles place_ = kStart;
  bool in_quote_ = false;
  bool boundary_ = true;
  std::u32string run_;
  std::vector<std::uint32_t> run_lines_;
  std::vector<bool> run_starts_;
};

}  // namespace

WrittenWords ScanWords(std::string_view text) { return WordScanner(text).Scan(); }

}  // namespace sibyl::injection
