// SPDX-License-Identifier: Apache-2.0
#include "evidence/instruction_tokens.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "base/utf8.h"
#include "evidence/instruction_lexicon.h"
#include "evidence/letters.h"

namespace sibyl::evidence {
namespace {

bool IsAsciiWord(unsigned char c) {
  const auto lower = static_cast<unsigned char>(c | 0x20U);
  return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

// A word as it is written, before it is known which language it is in.
struct Word {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t position = 0;
  std::uint32_t sentence = 0;
  std::uint32_t line = 0;
  Roles place = 0;  // kStart, kQuoted, kMarkup, kVocative
  bool is_joined = false;
  Roles joined_roles = 0;
};

class TokenReader {
 public:
  explicit TokenReader(std::string_view text) : text_(text), lower_(text) {
    LowerInPlace(lower_);
    words_.reserve(text.size() / 6);
    has_kana_ = text.find("\xE3\x81") != std::string_view::npos ||
                text.find("\xE3\x82") != std::string_view::npos ||
                text.find("\xE3\x83") != std::string_view::npos;
  }

  Tokens Read() {
    while (at_ < text_.size()) Step();
    EndJoined();
    for (std::size_t i = 0; i < words_.size(); ++i) Resolve(i);
    ChooseLanguages();
    return std::move(tokens_);
  }

 private:
  static constexpr std::uint32_t kFunctionVote = 1U << 16U;
  using Votes = std::array<std::uint32_t, kLanguages>;

  struct Found {
    const Lexicon::Entry* entry = nullptr;
    std::size_t words = 1;
  };

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
      for (std::size_t i = at_; i > begin; --i) lower_[i] = lower_[i - 1];
      at_ = end;
      ++begin;
    }
    Word word{.begin = static_cast<std::uint32_t>(begin),
              .end = static_cast<std::uint32_t>(std::min(at_, text_.size())),
              .position = ++position_,
              .sentence = sentence_,
              .line = line_,
              .place = place_};
    if (in_quote_) word.place |= kQuoted;
    Surroundings(word);
    words_.push_back(word);
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
  void Surroundings(Word& word) const {
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
  bool IsHeading(const Word& word) const {
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
    for (std::size_t i = 0; i < run_.size();) {
      const Lexicon::Joined* joined =
          lexicon_.FindJoined(std::u32string_view(run_).substr(i), LanguageOf(run_[i]),
                              i == 0 || run_starts_[i] || run_starts_[i - 1]);
      position_ = first + static_cast<std::uint32_t>(i / 2) + 1;
      if (joined == nullptr) {
        ++i;
        continue;
      }
      Roles place = i == 0 ? place_ : 0;
      if (in_quote_) place |= kQuoted;
      words_.push_back({.position = position_,
                        .sentence = sentence_,
                        .line = run_lines_[i],
                        .place = place,
                        .is_joined = true,
                        .joined_roles = joined->roles});
      i += joined->word.size();
    }
    place_ = 0;
    ++in_sentence_;
    run_.clear();
    run_lines_.clear();
    run_starts_.clear();
  }

  std::string_view Text(const Word& word) const {
    return std::string_view(lower_).substr(word.begin, word.end - word.begin);
  }

  // The longest phrase that begins at a word.
  Found Longest(std::size_t i) const {
    constexpr std::size_t kLongestPhrase = 5;
    const std::string_view word = Text(words_[i]);
    std::uint64_t hash = Lexicon::Hash(Lexicon::kHashStart, word);
    const Lexicon::Entry* entry = lexicon_.Find(word, hash);
    Found found;
    if (entry == nullptr) return found;
    if (!entry->meanings.empty()) found.entry = entry;
    if (!entry->continues) return found;
    std::string phrase(word);
    for (std::size_t n = 1; n < kLongestPhrase && entry != nullptr && entry->continues; ++n) {
      if (i + n >= words_.size() || words_[i + n].is_joined) break;
      const std::string_view next = Text(words_[i + n]);
      hash = Lexicon::Hash(Lexicon::Hash(hash, '_'), next);
      phrase += '_';
      phrase += next;
      entry = lexicon_.Find(phrase, hash);
      if (entry != nullptr && !entry->meanings.empty()) found = {entry, n + 1};
    }
    return found;
  }

  void Resolve(std::size_t i) {
    const Word& word = words_[i];
    if (word.is_joined) {
      tokens_.all.push_back({.roles = word.place | word.joined_roles,
                             .position = word.position,
                             .sentence = word.sentence,
                             .line = word.line,
                             .is_english = false});
      entries_.push_back(nullptr);
      return;
    }
    const std::string_view text = Text(word);
    if (text.size() > 24) return;
    Found found = Longest(i);
    if (found.entry == nullptr && text.front() == '.') {
      found = Plain(text.substr(1));
    }
    if (found.entry == nullptr) found.entry = lexicon_.FindStem(text);
    if (found.entry == nullptr) found.entry = Leet(text);
    if (found.entry == nullptr) return;
    if ((text == "are" || text == "youre") && i + 1 < words_.size() &&
        Text(words_[i + 1]).ends_with("ing")) {
      return;  // "you are using an LLM"
    }
    Add(word, *found.entry, PlaceOf(i, found));
    if (found.words < 2) return;
    // The words of a phrase keep their own roles.
    const Found single = Plain(text);
    if (single.entry != nullptr) Add(word, *single.entry, PlaceOf(i, single));
  }

  // The roles that a word has by its place.
  Roles PlaceOf(std::size_t i, const Found& found) const {
    Roles place = words_[i].place | (words_[i + found.words - 1].place & kVocative);
    if (i > 0 && !words_[i - 1].is_joined && Text(words_[i - 1]) == "please") place |= kStart;
    const Meaning& first = found.entry->meanings.front();
    const bool is_verb = first.language == Language::kEnglish && (first.roles & kSpeech) != 0;
    return is_verb && IsImperative(i) ? place | kCommand : place;
  }

  // An English verb has no form of its own for this: it begins a clause, or follows
  // "please", "and", "must" and the like.
  bool IsImperative(std::size_t i) const {
    const Word& word = words_[i];
    if ((word.place & kStart) != 0 || i == 0) return true;
    const Word& before = words_[i - 1];
    const std::string_view between = text_.substr(before.end, word.begin - before.end);
    if (between.find_first_of(",;:(") != std::string_view::npos) return true;
    constexpr std::array<std::string_view, 9> kLeads = {"please", "and",  "then",   "instead", "so",
                                                        "now",    "must", "should", "always"};
    const auto leads = [&](const Word& lead) {
      return std::find(kLeads.begin(), kLeads.end(), Text(lead)) != kLeads.end();
    };
    if (leads(before)) return true;
    // "do not", "never" and "don't" in the same places; "does not" is a statement.
    std::size_t first = i - 1;
    if (Text(before) == "not" && i > 1 && Text(words_[i - 2]) == "do") {
      first = i - 2;
    } else if (Text(before) != "never" && Text(before) != "dont") {
      return false;
    }
    return (words_[first].place & kStart) != 0 || (first > 0 && leads(words_[first - 1]));
  }

  Found Plain(std::string_view text) const {
    const Lexicon::Entry* entry = lexicon_.Find(text, Lexicon::Hash(Lexicon::kHashStart, text));
    if (entry == nullptr || entry->meanings.empty()) return {};
    return {entry, 1};
  }

  // A word in which digits stand for letters; "sm80" and "int32" are none.
  const Lexicon::Entry* Leet(std::string_view text) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto digits = std::count_if(text.begin(), text.end(), is_digit);
    const auto letters = std::count_if(text.begin(), text.end(), [](char c) {
      return IsLatinLetter(static_cast<unsigned char>(c));
    });
    if (text.size() < 3 || digits == 0 || letters == 0) return nullptr;
    for (const char one : {'i', 'l'}) {
      std::string plain(text);
      for (char& c : plain) {
        constexpr std::string_view kPlain = "o?zeasgtbg";
        if (is_digit(c)) c = c == '1' ? one : kPlain[static_cast<std::size_t>(c - '0')];
      }
      const Lexicon::Entry* entry = Plain(plain).entry;
      if (entry == nullptr) entry = lexicon_.FindStem(plain);
      if (entry == nullptr || entry->meanings.empty()) continue;
      leet_tokens_.push_back(tokens_.all.size());
      return entry;
    }
    return nullptr;
  }

  void Add(const Word& word, const Lexicon::Entry& entry, Roles place) {
    tokens_.all.push_back(
        {.roles = place, .position = word.position, .sentence = word.sentence, .line = word.line});
    entries_.push_back(&entry);
    const bool is_english = entry.meanings.front().language == Language::kEnglish;
    if (votes_.size() <= word.sentence) votes_.resize(word.sentence + 1);
    for (const Meaning& meaning : entry.meanings) {
      // Other words tell, too, but not without one that only this language has.
      std::uint32_t& votes = votes_[word.sentence][static_cast<std::size_t>(meaning.language)];
      if ((meaning.roles & kFunction) != 0) {
        votes += is_english ? 1 : kFunctionVote + 1;
      } else if (!is_english && word.end - word.begin > 4) {
        ++votes;
      }
    }
  }

  // How many words each sentence has.
  std::vector<std::uint32_t> Lengths() const {
    std::vector<std::uint32_t> lengths(sentence_ + 1);
    for (const Word& word : words_) ++lengths[word.sentence];
    return lengths;
  }

  // Words of a language count in a sentence that is in that language. English ones
  // always do; Cyrillic is one language here.
  void ChooseLanguages() {
    constexpr std::uint32_t kWordsPerVote = 5;
    const std::vector<std::uint32_t> lengths = Lengths();
    const auto counts = [&](Language language, std::uint32_t sentence) {
      if (language == Language::kEnglish || language == Language::kRussian) return true;
      const Votes& votes = votes_[sentence];
      std::uint32_t own = votes[static_cast<std::size_t>(language)];
      if (own < kFunctionVote) return false;
      own %= kFunctionVote;
      return own >= 2 && own >= votes[0] && own * kWordsPerVote >= lengths[sentence];
    };
    std::size_t next_leet = 0;
    const bool takes_leet = leet_tokens_.size() > 2;
    if (takes_leet) tokens_.leet = leet_tokens_.size();
    for (std::size_t i = 0; i < tokens_.all.size(); ++i) {
      const bool is_leet = next_leet < leet_tokens_.size() && leet_tokens_[next_leet] == i;
      if (is_leet) ++next_leet;
      Token& token = tokens_.all[i];
      if (entries_[i] == nullptr || (is_leet && !takes_leet)) {
        tokens_.roles |= token.roles;
        continue;
      }
      for (const Meaning& meaning : entries_[i]->meanings) {
        if (!is_leet && !counts(meaning.language, token.sentence)) continue;
        token.roles |= meaning.roles;
        if (meaning.language != Language::kEnglish && (meaning.roles & ~kFunction) != 0) {
          token.is_english = false;
        }
      }
      tokens_.roles |= token.roles;
    }
  }

  const Lexicon& lexicon_ = Lexicon::Get();
  std::string_view text_;
  std::string lower_;
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
  std::vector<Word> words_;
  Tokens tokens_;
  std::vector<const Lexicon::Entry*> entries_;  // of the tokens; null: it has its roles
  std::vector<std::size_t> leet_tokens_;
  std::vector<Votes> votes_;  // of each sentence
};

}  // namespace

Tokens ReadTokens(std::string_view text) { return TokenReader(text).Read(); }

}  // namespace sibyl::evidence
