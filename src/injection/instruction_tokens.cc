// SPDX-License-Identifier: Apache-2.0
#include "injection/instruction_tokens.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "injection/instruction_lexicon.h"
#include "injection/instruction_scan.h"
#include "injection/letters.h"

namespace sibyl::injection {
namespace {

using Word = WrittenWord;

class TokenReader {
 public:
  explicit TokenReader(std::string_view text)
      : text_(text), scanned_(ScanWords(text)), words_(scanned_.words) {
    tokens_.all.reserve(words_.size());
    entries_.reserve(words_.size());
  }

  Tokens Read() {
    for (std::size_t i = 0; i < words_.size(); ++i) Resolve(i);
    ChooseLanguages();
    return std::move(tokens_);
  }

 private:
  static constexpr std::uint32_t kFunctionVote = 1U << 16U;
  static constexpr std::size_t kLongestWord = 24;
  using Votes = std::array<std::uint32_t, kLanguages>;
  using Entries = std::array<const Lexicon::Entry*, 2>;  // a phrase and its first word; or null

  struct Found {
    const Lexicon::Entry* entry = nullptr;
    std::size_t words = 1;
  };

  std::string_view Text(const Word& word) const {
    return std::string_view(scanned_.lower).substr(word.begin, word.end - word.begin);
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
    Token token{.roles = word.place | word.joined_roles,
                .word = word.letter,
                .position = word.position,
                .sentence = word.sentence,
                .line = word.line,
                .is_english = !word.is_joined};
    Entries entries{};
    if (!word.is_joined) {
      const std::string_view text = Text(word);
      token.word = ShortHash(Lexicon::Hash(Lexicon::kHashStart, text));
      token.stem = StemHash(text);
      if (text.size() <= kLongestWord) Look(i, token, entries);
    }
    tokens_.all.push_back(token);
    entries_.push_back(entries);
  }

  static std::uint32_t StemHash(std::string_view text) {
    constexpr std::size_t kStem = 5;
    std::size_t end = kStem;
    if (text.size() > end && static_cast<unsigned char>(text.front()) >= 0x80) end = 2 * kStem;
    if (text.size() < end + 2) return 0;
    return ShortHash(Lexicon::Hash(~Lexicon::kHashStart, text.substr(0, end)));
  }

  // Finds a word, and a phrase that begins with it, in the lists.
  void Look(std::size_t i, Token& token, Entries& entries) {
    const Word& word = words_[i];
    const std::string_view text = Text(word);
    Found found = Longest(i);
    if (found.entry == nullptr && text.front() == '.') found = Plain(text.substr(1));
    if (found.entry == nullptr) found.entry = lexicon_.FindStem(text);
    if (found.entry == nullptr) found.entry = Leet(text);
    if (found.entry == nullptr) return;
    if ((text == "are" || text == "youre") && i + 1 < words_.size() &&
        Text(words_[i + 1]).ends_with("ing")) {
      return;  // "you are using an LLM"
    }
    entries[0] = found.entry;
    token.roles |= PlaceOf(i, found);
    Vote(word, *found.entry);
    if (found.words < 2) return;
    // The words of a phrase keep their own roles.
    const Found single = Plain(text);
    if (single.entry == nullptr) return;
    entries[1] = single.entry;
    token.roles |= PlaceOf(i, single);
    Vote(word, *single.entry);
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

  // A word in which digits replace letters; "sm80" and "int32" are not.
  const Lexicon::Entry* Leet(std::string_view text) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto digits = std::count_if(text.begin(), text.end(), is_digit);
    const auto letters = std::count_if(text.begin(), text.end(), [](char c) {
      return IsLatinLetter(static_cast<unsigned char>(c));
    });
    if (text.size() < 3 || digits == 0 || letters == 0) return nullptr;
    std::uint32_t hash = 0;
    const Lexicon::Entry* entry = nullptr;
    for (const char one : {'i', 'l'}) {
      std::string plain(text);
      for (char& c : plain) {
        constexpr std::string_view kPlain = "o?zeasgtbg";
        if (is_digit(c)) c = c == '1' ? one : kPlain[static_cast<std::size_t>(c - '0')];
      }
      entry = Plain(plain).entry;
      if (entry == nullptr) entry = lexicon_.FindStem(plain);
      if (entry != nullptr && entry->meanings.empty()) entry = nullptr;
      if (hash == 0 || entry != nullptr) {
        hash = ShortHash(Lexicon::Hash(Lexicon::kHashStart, plain));
      }
      if (entry != nullptr) break;
    }
    if (entry != nullptr) ++leet_known_;
    leet_tokens_.push_back({tokens_.all.size(), hash});
    return entry;
  }

  // Which languages a word suggests for its sentence.
  void Vote(const Word& word, const Lexicon::Entry& entry) {
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
    std::vector<std::uint32_t> lengths(scanned_.sentences);
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
    const bool takes_leet = leet_known_ > 2;
    if (takes_leet) tokens_.leet = leet_known_;
    for (std::size_t i = 0; i < tokens_.all.size(); ++i) {
      const bool is_leet = next_leet < leet_tokens_.size() && leet_tokens_[next_leet].token == i;
      Token& token = tokens_.all[i];
      if (is_leet && takes_leet) token.word = leet_tokens_[next_leet].word;
      if (is_leet) ++next_leet;
      if (!is_leet || takes_leet) {
        for (const Lexicon::Entry* entry : entries_[i]) {
          if (entry != nullptr) AddRoles(*entry, is_leet, counts, token);
        }
      }
      tokens_.roles |= token.roles;
    }
  }

  template <typename Counts>
  static void AddRoles(const Lexicon::Entry& entry, bool is_leet, const Counts& counts,
                       Token& token) {
    for (const Meaning& meaning : entry.meanings) {
      if (!is_leet && !counts(meaning.language, token.sentence)) continue;
      token.roles |= meaning.roles;
      if (meaning.language != Language::kEnglish && (meaning.roles & ~kFunction) != 0) {
        token.is_english = false;
      }
    }
  }

  const Lexicon& lexicon_ = Lexicon::Get();
  std::string_view text_;
  WrittenWords scanned_;
  const std::vector<Word>& words_;
  Tokens tokens_;
  std::vector<Entries> entries_;  // of the tokens
  struct LeetToken {
    std::size_t token;
    std::uint32_t word;  // a hash of it in letters
  };
  std::vector<LeetToken> leet_tokens_;
  std::size_t leet_known_ = 0;  // those that are in the lists
  std::vector<Votes> votes_;    // of each sentence
};

}  // namespace

Tokens ReadTokens(std::string_view text) { return TokenReader(text).Read(); }

}  // namespace sibyl::injection
