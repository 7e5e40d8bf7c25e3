// SPDX-License-Identifier: Apache-2.0
#include "evidence/instruction_phrases.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace sibyl::evidence {
namespace {

// What a word can be in such a sentence; a word can be several things.
using Roles = std::uint32_t;
constexpr Roles kDrop = 1U << 0;       // ignore
constexpr Roles kEarlier = 1U << 1;    // previous
constexpr Roles kAll = 1U << 2;        // everything
constexpr Roles kOrders = 1U << 3;     // instructions
constexpr Roles kYou = 1U << 4;        // you
constexpr Roles kYour = 1U << 5;       // your
constexpr Roles kAre = 1U << 6;        // are
constexpr Roles kMachine = 1U << 7;    // llm
constexpr Roles kLanguage = 1U << 8;   // language, before "model"
constexpr Roles kModel = 1U << 9;      // model
constexpr Roles kTo = 1U << 10;        // to
constexpr Roles kNote = 1U << 11;      // note
constexpr Roles kTell = 1U << 12;      // reveal
constexpr Roles kNot = 1U << 13;       // not
constexpr Roles kReader = 1U << 14;    // users
constexpr Roles kSay = 1U << 15;       // write
constexpr Roles kThat = 1U << 16;      // that
constexpr Roles kIn = 1U << 17;        // in
constexpr Roles kReply = 1U << 18;     // answer
constexpr Roles kMust = 1U << 19;      // should
constexpr Roles kPlease = 1U << 20;    // please, as good as the start of a sentence
constexpr Roles kWith = 1U << 21;      // with
constexpr Roles kFiller = 1U << 22;    // a
constexpr Roles kAnd = 1U << 23;       // and
constexpr Roles kGreeting = 1U << 24;  // dear
constexpr Roles kStart = 1U << 30;     // not of a word: it begins a sentence
constexpr Roles kHidden = 1U << 31;    // not of a word: characters that nobody sees

struct Known {
  std::string_view word;
  Roles roles;
};

// In the order of the letters.
constexpr std::array kWords = {
    Known{"a", kFiller},
    Known{"above", kEarlier},
    Known{"actually", kFiller},
    Known{"ai", kMachine},
    Known{"all", kAll},
    Known{"an", kFiller},
    Known{"and", kAnd},
    Known{"answer", kSay | kReply},
    Known{"are", kAre},
    Known{"assistants", kMachine},
    Known{"attention", kNote | kGreeting},
    Known{"chatbot", kMachine},
    Known{"chatbots", kMachine},
    Known{"chatgpt", kMachine},
    Known{"claim", kSay},
    Known{"claude", kMachine},
    Known{"conclude", kSay},
    Known{"context", kOrders},
    Known{"copilot", kMachine},
    Known{"dear", kGreeting},
    Known{"directives", kOrders},
    Known{"disclose", kTell},
    Known{"disregard", kDrop},
    Known{"dont", kNot},
    Known{"earlier", kEarlier},
    Known{"everything", kAll},
    Known{"for", kTo},
    Known{"forget", kDrop},
    Known{"guidelines", kOrders},
    Known{"hello", kGreeting},
    Known{"hey", kGreeting},
    Known{"human", kReader},
    Known{"ignore", kDrop},
    Known{"in", kIn},
    Known{"inform", kTell},
    Known{"initial", kEarlier},
    Known{"insist", kSay},
    Known{"instead", kPlease},
    Known{"instruction", kNote | kOrders},
    Known{"instructions", kNote | kOrders},
    Known{"into", kIn},
    Known{"just", kFiller},
    Known{"language", kLanguage},
    Known{"large", kFiller},
    Known{"llm", kMachine},
    Known{"llms", kMachine},
    Known{"mention", kSay},
    Known{"message", kNote},
    Known{"model", kModel},
    Known{"models", kModel},
    Known{"must", kMust},
    Known{"never", kNot},
    Known{"not", kNot},
    Known{"note", kNote},
    Known{"notice", kNote},
    Known{"now", kFiller},
    Known{"orders", kOrders},
    Known{"original", kEarlier},
    Known{"output", kSay},
    Known{"override", kDrop},
    Known{"please", kPlease},
    Known{"preceding", kEarlier},
    Known{"previous", kEarlier},
    Known{"prior", kEarlier},
    Known{"prompt", kOrders},
    Known{"prompts", kOrders},
    Known{"re", kAre},
    Known{"reader", kReader},
    Known{"readers", kReader},
    Known{"reply", kSay | kReply},
    Known{"report", kSay},
    Known{"respond", kSay | kReply},
    Known{"response", kReply},
    Known{"reveal", kTell},
    Known{"rules", kOrders},
    Known{"say", kSay},
    Known{"should", kMust},
    Known{"state", kSay},
    Known{"summary", kReply},
    Known{"tell", kTell | kSay},
    Known{"that", kThat},
    Known{"the", kFiller},
    Known{"then", kAnd},
    Known{"to", kTo},
    Known{"user", kReader},
    Known{"users", kReader},
    Known{"warning", kNote},
    Known{"with", kWith},
    Known{"write", kSay},
    Known{"you", kYou},
    Known{"your", kYour | kEarlier},
    Known{"youre", kYou | kAre},
};
constexpr std::size_t kLongestWord = 12;

struct Word {
  Roles roles = 0;
  std::size_t offset = 0;
  bool begins_paragraph = false;  // a line without words stands before it
};

Roles RolesOf(std::string_view word) {
  const auto at = std::lower_bound(
      kWords.begin(), kWords.end(), word,
      [](const Known& known, std::string_view wanted) { return known.word < wanted; });
  return at != kWords.end() && at->word == word ? at->roles : 0;
}

// The bytes of a character that shows nothing and parts no word: a soft hyphen,
// what has no width, a byte order mark, and tags, which spell letters unseen.
struct Unseen {
  std::size_t bytes = 0;  // zero: it is none of these
  bool is_tag = false;
};

Unseen UnseenAt(std::string_view text) {
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
  };
  if (byte(0) == 0xC2 && byte(1) == 0xAD) return {.bytes = 2};
  if (byte(0) == 0xE2 && byte(1) == 0x80 && byte(2) >= 0x8B && byte(2) <= 0x8F) return {.bytes = 3};
  if (byte(0) == 0xE2 && byte(1) == 0x81 && byte(2) >= 0xA0 && byte(2) <= 0xA4) return {.bytes = 3};
  if (byte(0) == 0xEF && byte(1) == 0xBB && byte(2) == 0xBF) return {.bytes = 3};
  if (byte(0) == 0xF3 && byte(1) == 0xA0 && (byte(2) == 0x80 || byte(2) == 0x81)) {
    return {.bytes = 4, .is_tag = true};
  }
  return {};
}

class WordReader {
 public:
  explicit WordReader(std::string_view text) : text_(text) {}

  std::vector<Word> Read() {
    std::size_t at = 0;
    while (at < text_.size()) {
      const auto c = static_cast<unsigned char>(text_[at]);
      if (const Unseen unseen = c < 0x80 ? Unseen{} : UnseenAt(text_.substr(at));
          unseen.bytes > 0) {
        if (unseen.is_tag) Add({.roles = kHidden, .offset = at});
        at += unseen.bytes;
        continue;
      }
      Take(c, at++);
    }
    EndWord();
    return std::move(words_);
  }

 private:
  void Take(unsigned char c, std::size_t at) {
    const auto lower = static_cast<unsigned char>(c | 0x20U);
    const bool is_letter = lower >= 'a' && lower <= 'z';
    if (is_letter || (length_ > 0 && (c == '_' || c >= 0x80 || (c >= '0' && c <= '9')))) {
      if (length_ == 0) began_ = at;
      if (length_ < word_.size()) word_[length_] = static_cast<char>(is_letter ? lower : c);
      ++length_;
      return;
    }
    if (c == '\'' && length_ > 0) return;  // don't
    EndWord();
    if (c == '\n') ++line_ends_;
    constexpr std::string_view kStarters = ".!?:;#*-/>|";
    if (kStarters.find(static_cast<char>(c)) != std::string_view::npos) starts_ = true;
  }

  void EndWord() {
    if (length_ == 0) return;
    Roles roles = length_ <= kLongestWord ? RolesOf({word_.data(), length_}) : 0;
    if (starts_) roles |= kStart;
    Add({.roles = roles, .offset = began_});
    length_ = 0;
    starts_ = false;
  }

  void Add(Word word) {
    word.begins_paragraph = line_ends_ > 1;
    words_.push_back(word);
    line_ends_ = 0;
  }

  std::string_view text_;
  std::vector<Word> words_;
  std::array<char, kLongestWord + 1> word_{};
  std::size_t length_ = 0;
  std::size_t began_ = 0;
  std::size_t line_ends_ = 0;  // since the last word
  bool starts_ = true;
};

// Asks whether words with certain roles follow each other.
class Phrases {
 public:
  /// Of one paragraph.
  explicit Phrases(std::span<const Word> words) : words_(words) {}

  bool BeginsAt(std::size_t at) const {
    const Roles roles = words_[at].roles;
    if ((roles & kHidden) != 0) return true;
    if ((roles & ~kStart) == 0) return false;
    return DropsOrders(at) || SpeaksToMachine(at) || KeepsSecret(at) || Dictates(at) ||
           NamesTheAnswer(at);
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  bool Has(std::size_t at, Roles roles) const {
    return at < words_.size() && (words_[at].roles & roles) != 0;
  }

  // The next word with one of the roles, at most `skipped` words on.
  std::size_t Next(std::size_t at, Roles roles, std::size_t skipped) const {
    if (at == kNone) return kNone;
    for (std::size_t i = at + 1; i <= at + 1 + skipped && i < words_.size(); ++i) {
      if (Has(i, roles)) return i;
    }
    return kNone;
  }

  bool IsMachine(std::size_t at) const {
    return Has(at, kMachine) || (Has(at, kLanguage) && Has(at + 1, kModel));
  }
  bool NextIsMachine(std::size_t at, std::size_t skipped) const {
    for (std::size_t i = at + 1; i <= at + 1 + skipped; ++i) {
      if (IsMachine(i)) return true;
    }
    return false;
  }

  // "ignore your previous instructions", "disregard everything above", "forget
  // all instructions": processors ignore instructions too, so it must be said
  // which.
  bool DropsOrders(std::size_t at) const {
    if (!Has(at, kDrop)) return false;
    const std::size_t which = Next(at, kEarlier, 2);
    if (Next(which, kOrders, 2) != kNone) return true;
    // "ignore the above and": what is to be ignored is not even named.
    if (which != kNone && !Has(which, kYour) && Has(which + 1, kAnd | kPlease)) return true;
    const std::size_t all = Next(at, kAll, 0);
    return all != kNone && (Has(all + 1, kOrders) || Next(all, kEarlier, 2) != kNone);
  }

  // "you are a large language model", "note to AI agents", "LLMs must say"
  bool SpeaksToMachine(std::size_t at) const {
    if (Has(at, kYou) && (Has(at, kAre) || Has(at + 1, kAre))) {
      std::size_t named = Has(at, kAre) ? at + 1 : at + 2;
      while (Has(named, kFiller)) ++named;
      return IsMachine(named);
    }
    if (Has(at, kNote) && Has(at + 1, kTo)) return NextIsMachine(at + 1, 2);
    if (Has(at, kGreeting) && IsMachine(at + 1)) return true;
    if (!IsMachine(at)) return false;
    const std::size_t must = Next(at, kMust | kPlease, 2);
    return must != kNone && Next(must, kSay | kDrop, 1) != kNone;
  }

  // "do not tell the user"
  bool KeepsSecret(std::size_t at) const {
    return Has(at, kNot) && Has(at + 1, kTell) && IsReader(at + 2);
  }

  // "users", "the user", "your readers"
  bool IsReader(std::size_t at) const {
    return Has(at, kReader) || (Has(at, kFiller | kYour) && Has(at + 1, kReader));
  }

  // A sentence that begins "Write that", "Reply with", "Tell the user".
  bool Dictates(std::size_t at) const {
    const bool is_order =
        Has(at, kStart) || (at > 0 && Has(at - 1, kPlease)) || IsToldTo(at, 1) || IsToldTo(at, 2);
    if (!Has(at, kSay) || !is_order) return false;
    if (Has(at, kTell)) return IsReader(at + 1);
    return Has(at + 1, kThat) || (Has(at, kReply) && Has(at + 1, kWith));
  }

  // "you must write", "you should now write"
  bool IsToldTo(std::size_t at, std::size_t before) const {
    return at > before && Has(at - before, kMust) && Has(at - before - 1, kYou | kMachine) &&
           !Has(at - 1, kNot);
  }

  // "in your answer"
  bool NamesTheAnswer(std::size_t at) const {
    return Has(at, kIn) && Has(at + 1, kYour) && Has(at + 2, kReply);
  }

  std::span<const Word> words_;
};

}  // namespace

std::vector<std::size_t> FindInstructionPhrases(std::string_view text) {
  const std::vector<Word> words = WordReader(text).Read();
  std::vector<std::size_t> found;
  for (std::size_t first = 0, end = 0; first < words.size(); first = end) {
    for (++end; end < words.size() && !words[end].begins_paragraph;) ++end;
    const Phrases phrases({words.data() + first, end - first});
    for (std::size_t i = first; i < end; ++i) {
      if (phrases.BeginsAt(i - first)) found.push_back(words[i].offset);
    }
  }
  return found;
}

}  // namespace sibyl::evidence
