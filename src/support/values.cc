// SPDX-License-Identifier: Apache-2.0
#include "support/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::support {
namespace {

using passages::Card;

enum class Sign : std::uint8_t { kNone, kOn, kOff };

template <std::size_t N>
bool IsOneOf(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Sign SignOfValue(std::string_view value) {
  const std::string lower = LowerCase(Trim(value));
  constexpr std::array<std::string_view, 4> kOn = {"true", "on", "yes", "1"};
  constexpr std::array<std::string_view, 4> kOff = {"false", "off", "no", "0"};
  if (IsOneOf(lower, kOn)) return Sign::kOn;
  return IsOneOf(lower, kOff) ? Sign::kOff : Sign::kNone;
}

Sign Flip(Sign sign) {
  return sign == Sign::kOn ? Sign::kOff : sign == Sign::kOff ? Sign::kOn : sign;
}

bool IsFrame(std::string_view part) {
  constexpr std::array<std::string_view, 18> kFrames = {
      "enabl", "enable", "use",  "with", "is",  "do",  "default", "m",      "k",
      "flag",  "opt",    "want", "the",  "has", "cfg", "config",  "should", "_default"};
  return IsOneOf(part, kFrames) || part.size() < 2;
}

bool IsNegativeName(std::string_view part) {
  constexpr std::array<std::string_view, 7> kNegative = {"disabl",  "disable", "no",   "skip",
                                                         "without", "not",     "ignor"};
  return IsOneOf(part, kNegative);
}

// A definition whose value can be compared.
struct ReadCard {
  const Card* card = nullptr;
  std::string lower;
  std::vector<std::string> parts;  // that tell it from others
  bool is_negative = false;
  Sign sign = Sign::kNone;
  std::optional<Quantity> number;
  std::string word;  // of a text or an enumerator: its last part, lower case
};

std::optional<Quantity> NumberOfValue(const std::string& value) {
  std::vector<Quantity> read = ReadQuantities(value, true);
  constexpr std::size_t kSuffix = 3;  // "4ULL"
  if (read.empty() || read[0].begin > 1 || read[0].in_name) return std::nullopt;
  const Quantity& whole = read.back().is_derived ? read.back() : read[0];
  if (whole.begin > 1 || whole.end + kSuffix < value.size()) return std::nullopt;
  return whole;
}

std::string WordOfValue(const Card& card) {
  const std::string& value = card.value;
  const std::string lower = LowerCase(value);
  constexpr std::array<std::string_view, 7> kNothing = {"none",    "null", "nullptr", "auto",
                                                        "default", "self", "empty"};
  if (IsOneOf(lower, kNothing)) return {};
  // A text, or an enumerator.
  if (!card.is_text && value.find_first_of(".:") == std::string::npos &&
      std::any_of(value.begin(), value.end(), IsLower)) {
    return {};
  }
  const bool is_word = !value.empty() && std::all_of(value.begin(), value.end(), [](char c) {
    return IsNameByte(c) || c == '.' || c == ':' || c == '-';
  });
  if (!is_word || IsDigit(value[0])) return {};
  const std::size_t at = value.find_last_of(".:");
  return LowerCase(at == std::string::npos ? value : value.substr(at + 1));
}

class ValueJudge {
 public:
  ValueJudge(std::string_view text, const std::vector<Token>& tokens,
             const std::vector<Quantity>& numbers, const UnitHints& hints)
      : text_view_(text), tokens_(tokens), numbers_(numbers), hints_(hints) {
    speaks_of_default_ = SpeaksOfDefault(text);
    constexpr std::size_t kBeginning = 24;
    starts_with_default_ = SpeaksOfDefault(text.substr(0, kBeginning));
  }

  void Prepare(const std::vector<Card>& cards, Tokenizer& tokenizer) {
    constexpr std::size_t kMost = 200;
    for (const Card& card : cards) {
      if (cards_.size() >= kMost) break;
      ReadCard read = {.card = &card, .lower = LowerCase(card.name)};
      read.sign = SignOfValue(card.value);
      read.number = NumberOfValue(card.value);
      if (read.sign == Sign::kNone && !read.number) read.word = WordOfValue(card);
      if (read.sign == Sign::kNone && !read.number && read.word.empty()) continue;
      for (const Token& token : tokenizer.OfSource(card.name)) {
        std::vector<std::string> parts = token.parts;
        if (parts.empty()) parts.push_back(token.stem);
        for (std::string& part : parts) {
          read.is_negative = read.is_negative || IsNegativeName(part);
          if (!IsFrame(part) && !IsNegativeName(part)) read.parts.push_back(std::move(part));
        }
      }
      cards_.push_back(std::move(read));
    }
    // A default that is given as one outranks "X=1" elsewhere in the lines.
    const std::vector<ReadCard> all = cards_;
    std::erase_if(cards_, [&](const ReadCard& card) {
      return card.card->kind == passages::CardKind::kAssignment &&
             std::any_of(all.begin(), all.end(), [&](const ReadCard& other) {
               return other.lower == card.lower &&
                      other.card->kind != passages::CardKind::kAssignment;
             });
    });
    DropSharedParts();
  }

  // A prefix that most of the names have tells nothing.
  void DropSharedParts() {
    constexpr std::size_t kFew = 3;
    std::map<std::string, std::size_t> counts;
    for (const ReadCard& card : cards_) {
      for (const std::string& part : std::set<std::string>(card.parts.begin(), card.parts.end())) {
        ++counts[part];
      }
    }
    if (cards_.size() < kFew) return;
    for (ReadCard& card : cards_) {
      std::erase_if(card.parts,
                    [&](const std::string& part) { return 2 * counts[part] > cards_.size(); });
    }
  }

  std::vector<ValueFinding> Take() {
    std::uint32_t last = UINT32_MAX;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].clause == last) continue;
      last = tokens_[i].clause;
      std::size_t end = i;
      while (end < tokens_.size() && tokens_[end].clause == last) ++end;
      JudgeClause(i, end);
    }
    return std::move(findings_);
  }

 private:
  struct Fit {
    const ReadCard* card = nullptr;
    double score = 0;
    std::size_t token = 0;  // where its name is, if it is there
    bool is_exact = false;
  };

  bool HasPart(const std::string& part, std::size_t begin, std::size_t end) const {
    const Lexicon& lexicon = Lexicon::Ours();
    const auto groups = lexicon.GroupsOf(part);
    for (std::size_t i = begin; i < end; ++i) {
      const Token& token = tokens_[i];
      if (token.stem == part) return true;
      if (std::find(token.parts.begin(), token.parts.end(), part) != token.parts.end()) return true;
      const auto own = lexicon.GroupsOf(token.stem);
      for (const std::uint16_t group : groups) {
        if (std::find(own.begin(), own.end(), group) != own.end()) return true;
      }
      constexpr std::size_t kTelling = 4;
      if (part.size() >= kTelling && token.stem.size() >= kTelling &&
          (token.stem.starts_with(part) || part.starts_with(token.stem))) {
        return true;
      }
      // "warm-up" for warmup
      if (i + 1 < end && token.lower + tokens_[i + 1].lower == part) return true;
    }
    return false;
  }

  Fit FitOf(const ReadCard& card, std::size_t begin, std::size_t end) const {
    Fit fit = {.card = &card};
    for (std::size_t i = begin; i < end; ++i) {
      const bool is_name = tokens_[i].in_code || tokens_[i].lower.find('_') != std::string::npos;
      if (tokens_[i].lower == card.lower && is_name) {
        fit.is_exact = true;
        fit.token = i;
        fit.score = 10;
        return fit;
      }
    }
    if (card.parts.empty()) return fit;
    std::size_t matched = 0;
    for (const std::string& part : card.parts) matched += HasPart(part, begin, end) ? 1 : 0;
    const double share = static_cast<double>(matched) / static_cast<double>(card.parts.size());
    constexpr double kEnough = 0.6;
    const bool is_enough = share >= kEnough && (matched >= 2 || card.parts[0].size() >= 4);
    fit.score = is_enough ? share + 0.1 * static_cast<double>(matched) : 0;
    return fit;
  }

  // What a clause claims.
  struct Claim {
    Sign sign = Sign::kNone;  // explicit
    bool is_implied = false;  // no sign, but it speaks of a default: on, or off if negated
    bool is_negated = false;
  };

  template <typename Fits>
  Fit Best(std::size_t begin, std::size_t end, bool& is_clear, Fits fits) const {
    Fit best;
    double second = 0;
    for (const ReadCard& card : cards_) {
      if (!fits(card)) continue;
      const Fit fit = FitOf(card, begin, end);
      if (fit.score > best.score) {
        second = best.score;
        best = fit;
      } else if (best.card != nullptr && card.lower != best.card->lower) {
        second = std::max(second, fit.score);
      }
    }
    is_clear = best.score > second;
    return best;
  }

  // Whether the name is given two values.
  template <typename Differs>
  bool IsAmbiguous(const ReadCard& card, Differs differs) const {
    return std::any_of(cards_.begin(), cards_.end(), [&](const ReadCard& other) {
      return &other != &card && other.lower == card.lower && differs(other);
    });
  }

  void JudgeClause(std::size_t begin, std::size_t end) {
    constexpr std::array<std::string_view, 12> kConditions = {"unless", "if",   "when", "once",
                                                              "set",    "pass", "use",  "whenever",
                                                              "until",  "with", "add",  "give"};
    if (IsOneOf(tokens_[begin].lower, kConditions)) return;
    if (JudgeNumber(begin, end)) return;
    JudgeSign(begin, end);
    JudgeWord(begin, end);
  }

  bool JudgeNumber(std::size_t begin, std::size_t end) {
    bool is_clear = false;
    const Fit fit =
        Best(begin, end, is_clear, [](const ReadCard& card) { return card.number.has_value(); });
    if (fit.card == nullptr || fit.score == 0 || !is_clear) return false;
    const Quantity* number = NumberIn(fit, begin, end);
    if (number == nullptr) return false;
    if (IsAmbiguous(*fit.card, [&](const ReadCard& other) {
          return other.number && other.number->digits != fit.card->number->digits;
        })) {
      return true;
    }
    const bool is_of_other = std::any_of(cards_.begin(), cards_.end(), [&](const ReadCard& card) {
      return card.number && FitOf(card, begin, end).score > 0 &&
             support::Compare(*number, *card.number, hints_) != QuantityFit::kNone;
    });
    if (!fit.is_exact && is_of_other) return true;
    if (support::Compare(*number, *fit.card->number, hints_) == QuantityFit::kNone) {
      Report(*fit.card->card, true);
    }
    return true;
  }

  void JudgeSign(std::size_t begin, std::size_t end) {
    Claim claim = ClaimOf(begin, end);
    if (claim.sign == Sign::kNone) {
      // "A and B are off": the sign follows.
      const std::size_t next = ClauseEnd(end);
      if (end < tokens_.size() && tokens_[end].lower == "and" && !HasVerb(begin, end)) {
        claim = ClaimOf(end, next);
        claim.is_implied = false;
      }
    }
    bool is_clear = false;
    Fit fit =
        Best(begin, end, is_clear, [](const ReadCard& card) { return card.sign != Sign::kNone; });
    if (claim.sign == Sign::kOff && speaks_of_default_) JudgeOffText(begin, end);
    if (fit.score > 0) {
      last_ = fit;
    } else if (tokens_[begin].lower == "it" && last_.card != nullptr) {
      fit = last_;
      is_clear = true;
    } else {
      return;
    }
    const bool has_cue = starts_with_default_ || SpeaksOfDefault(ClauseText(begin, end));
    Sign said = claim.sign;
    const bool has_number = std::any_of(numbers_.begin(), numbers_.end(), [&](const Quantity& n) {
      return n.begin >= tokens_[begin].begin && n.begin < tokens_[end - 1].end;
    });
    if (said == Sign::kNone && claim.is_implied && has_cue && !has_number) {
      said = claim.is_negated ? Sign::kOff : Sign::kOn;
    }
    if (said == Sign::kNone) return;
    if (!fit.is_exact && !speaks_of_default_) return;
    if (IsAmbiguous(*fit.card, [&](const ReadCard& other) {
          return other.sign != Sign::kNone && other.sign != fit.card->sign;
        })) {
      return;
    }
    const Sign actual =
        fit.card->is_negative && !fit.is_exact ? Flip(fit.card->sign) : fit.card->sign;
    if (said == actual) return;
    Report(*fit.card->card, is_clear && speaks_of_default_);
  }

  // "`x` is disabled" where the lines give it a text.
  void JudgeOffText(std::size_t begin, std::size_t end) {
    bool is_clear = false;
    const Fit fit =
        Best(begin, end, is_clear, [](const ReadCard& card) { return !card.word.empty(); });
    if (fit.card == nullptr || !fit.is_exact || !fit.card->card->is_text) return;
    const std::string& word = fit.card->word;
    if (word.find("disabl") == std::string::npos && word.find("off") == std::string::npos) {
      Report(*fit.card->card, true);
    }
  }

  // A default that is a word: "takes `ieee`" where the lines say "tf32".
  void JudgeWord(std::size_t begin, std::size_t end) {
    if (!speaks_of_default_) return;
    bool is_clear = false;
    const Fit fit =
        Best(begin, end, is_clear, [](const ReadCard& card) { return !card.word.empty(); });
    if (fit.card == nullptr || fit.score == 0) return;
    for (const Token& token : tokens_) {
      if (token.lower == fit.card->word || fit.card->word.find(token.stem) != std::string::npos) {
        if (token.lower.size() > 1 && token.weight == WordWeight::kFull) return;
      }
    }
    for (std::size_t i = begin; i < end; ++i) {
      if (!tokens_[i].in_code || tokens_[i].lower == fit.card->lower) continue;
      Report(*fit.card->card, is_clear && fit.is_exact);
      return;
    }
  }

  std::string_view ClauseText(std::size_t begin, std::size_t end) const {
    return text_view_.substr(tokens_[begin].begin, tokens_[end - 1].end - tokens_[begin].begin);
  }

  std::size_t ClauseEnd(std::size_t begin) const {
    std::size_t end = begin;
    while (end < tokens_.size() && tokens_[end].clause == tokens_[begin].clause) ++end;
    return end;
  }

  bool HasVerb(std::size_t begin, std::size_t end) const {
    constexpr std::array<std::string_view, 9> kVerbs = {
        "is", "are", "defaults", "stays", "was", "runs", "remains", "starts", "uses"};
    for (std::size_t i = begin; i < end; ++i) {
      if (IsOneOf(tokens_[i].lower, kVerbs)) return true;
    }
    return false;
  }

  void Report(const Card& card, bool is_sure) {
    findings_.push_back({.holds = false,
                         .is_sure = is_sure,
                         .message = fmt::format("in the cited lines, {} is {}", card.name,
                                                card.value.empty() ? "empty" : card.value),
                         .nearest = fmt::format("{} = {}", card.name, card.value)});
  }

  // The number that the clause gives to the name: "`x` is 4", "`x` defaults to
  // 4"; without the name, the only number of a clause about a default.
  const Quantity* NumberIn(const Fit& fit, std::size_t begin, std::size_t end) const {
    constexpr std::array<std::string_view, 19> kBetween = {
        "is",    "are", "at",    "to",  "set", "sets", "equals", "equal",  "defaults", "fixed",
        "fixes", "has", "value", "the", "a",   "an",   "as",     "starts", "both"};
    const std::size_t from = tokens_[begin].begin;
    const std::size_t to = tokens_[end - 1].end;
    const Quantity* only = nullptr;
    for (const Quantity& number : numbers_) {
      if (number.in_name || number.begin < from || number.begin >= to) continue;
      if (!fit.is_exact) {
        if (only != nullptr || !speaks_of_default_) return nullptr;
        only = &number;
        continue;
      }
      std::size_t at = fit.token + 1;
      if (number.begin < tokens_[fit.token].end) continue;
      while (at < end && tokens_[at].end <= number.begin && IsOneOf(tokens_[at].lower, kBetween))
        ++at;
      const bool is_next = at < end && at > fit.token + 1 && tokens_[at].begin <= number.begin &&
                           number.begin < tokens_[at].end;
      return is_next ? &number : nullptr;
    }
    return only;
  }

  Claim ClaimOf(std::size_t begin, std::size_t end) const {
    constexpr std::array<std::string_view, 9> kOn = {
        "on", "enabled", "enable", "true", "yes", "active", "enables", "activated", "allowed"};
    constexpr std::array<std::string_view, 9> kOff = {"off",      "disabled",    "disable",
                                                      "false",    "no",          "inactive",
                                                      "disables", "deactivated", "skipped"};
    Claim claim;
    for (std::size_t i = begin; i < end; ++i) {
      const std::string& lower = tokens_[i].lower;
      // "is on", not "on the device"
      constexpr std::array<std::string_view, 5> kAfter = {"by", "unless", "out", "and", "in"};
      const bool is_last = i + 1 == end || IsOneOf(tokens_[i + 1].lower, kAfter);
      const bool is_loose =
          (lower == "on" || lower == "off" || lower == "no") && !is_last && !tokens_[i].in_code;
      if (IsOneOf(lower, kOn) && !is_loose) claim.sign = Sign::kOn;
      if (IsOneOf(lower, kOff) && !is_loose) claim.sign = Sign::kOff;
      claim.is_negated = claim.is_negated || tokens_[i].is_negation;
    }
    if (claim.sign != Sign::kNone && claim.is_negated) claim.sign = Flip(claim.sign);
    claim.is_implied = claim.sign == Sign::kNone;
    return claim;
  }

  std::string_view text_view_;
  const std::vector<Token>& tokens_;
  const std::vector<Quantity>& numbers_;
  const UnitHints& hints_;
  bool speaks_of_default_ = false;
  bool starts_with_default_ = false;
  std::vector<ReadCard> cards_;
  Fit last_;  // what "it" is
  std::vector<ValueFinding> findings_;
};

}  // namespace

bool SpeaksOfDefault(std::string_view text) {
  const std::string lower = LowerCase(text);
  constexpr std::array<std::string_view, 16> kCues = {
      "default",         "unless ",     "out of the box", "told otherwise",    "not given",
      "unset",           "is not set",  "left alone",     "freshly",           "initially",
      "no value",        "unspecified", "omitted",        "without overrides", "not specified",
      "without argument"};
  return std::any_of(kCues.begin(), kCues.end(),
                     [&](std::string_view cue) { return lower.find(cue) != std::string::npos; });
}

std::vector<ValueFinding> JudgeValues(const ReadStatement& statement,
                                      const std::vector<Card>& cards, const UnitHints& hints,
                                      Tokenizer& tokenizer) {
  if (cards.empty()) return {};
  ValueJudge judge(statement.text, statement.tokens, statement.numbers, hints);
  judge.Prepare(cards, tokenizer);
  return judge.Take();
}

}  // namespace sibyl::support
