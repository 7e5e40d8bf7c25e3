// SPDX-License-Identifier: Apache-2.0
#include "support/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

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
      "enabl", "enable", "use",  "with", "is",  "do",   "default", "m",    "k",
      "flag",  "opt",    "want", "the",  "has", "cfg", "config",  "should", "_default"};
  return IsOneOf(part, kFrames) || part.size() < 2;
}

bool IsNegativeName(std::string_view part) {
  constexpr std::array<std::string_view, 7> kNegative = {"disabl", "disable", "no",    "skip",
                                                         "without", "not",    "ignor"};
  return IsOneOf(part, kNegative);
}

struct ReadCard {
  const Card* card = nullptr;
  std::string lower;
  std::vector<std::string> parts;  // that tell it from others
  bool is_negative = false;
};

class ValueJudge {
 public:
  ValueJudge(std::string_view text, const std::vector<Token>& tokens,
             const std::vector<Quantity>& numbers, const UnitHints& hints)
      : text_view_(text), tokens_(tokens), numbers_(numbers), hints_(hints) {
    speaks_of_default_ = SpeaksOfDefault(text);
  }

  void Prepare(const std::vector<Card>& cards, Tokenizer& tokenizer) {
    constexpr std::size_t kMost = 200;
    for (const Card& card : cards) {
      if (cards_.size() >= kMost) break;
      ReadCard read = {.card = &card, .lower = LowerCase(card.name)};
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
      if (tokens_[i].lower == card.lower && (tokens_[i].in_code || card.lower.size() > 6)) {
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
    const bool is_enough = share >= kEnough && (matched >= 2 || card.parts[0].size() >= 5);
    fit.score = is_enough ? share + 0.1 * static_cast<double>(matched) : 0;
    return fit;
  }

  void JudgeClause(std::size_t begin, std::size_t end) {
    if (tokens_[begin].lower == "unless" || tokens_[begin].lower == "if" ||
        tokens_[begin].lower == "when" || tokens_[begin].lower == "once") {
      return;
    }
    Fit best;
    double second = 0;
    for (const ReadCard& card : cards_) {
      const Fit fit = FitOf(card, begin, end);
      if (fit.score > best.score) {
        second = best.score;
        best = fit;
      } else {
        second = std::max(second, fit.score);
      }
    }
    if (best.card == nullptr || best.score == 0) return;
    if (!best.is_exact && !speaks_of_default_) return;
    // Defined more than once: which one is meant is not known.
    for (const ReadCard& other : cards_) {
      if (&other != best.card && other.lower == best.card->lower &&
          other.card->value != best.card->card->value) {
        return;
      }
    }
    const bool is_clear = best.is_exact || best.score > second;
    Compare(best, begin, end, is_clear);
  }

  void Compare(const Fit& fit, std::size_t begin, std::size_t end, bool is_clear) {
    const Card& card = *fit.card->card;
    const std::vector<Quantity> value = ReadQuantities(card.value, true);
    const bool is_number = value.size() == 1 && value[0].begin == 0 && !value[0].in_name &&
                           value[0].end + 3 >= card.value.size();
    const Quantity* number = NumberIn(fit, begin, end);
    if (is_number && number != nullptr) {
      if (support::Compare(*number, value[0], hints_) != QuantityFit::kNone) return;
      Report(card, is_clear);
      return;
    }
    const Sign actual = SignOfValue(card.value);
    if (actual == Sign::kNone || number != nullptr) return;
    const std::optional<Sign> said = SignIn(begin, end);
    if (!said) return;
    const bool flips = fit.card->is_negative && !fit.is_exact;
    if (*said == (flips ? Flip(actual) : actual)) return;
    Report(card, is_clear && (speaks_of_default_ || fit.is_exact));
  }

  void Report(const Card& card, bool is_sure) {
    findings_.push_back({.holds = false,
                         .is_sure = is_sure,
                         .message = fmt::format("in the cited lines, {} is {}", card.name,
                                                card.value.empty() ? "empty" : card.value),
                         .nearest = fmt::format("{} = {}", card.name, card.value)});
  }

  // The number that the clause gives to the name: the next after it, else the
  // nearest before.
  const Quantity* NumberIn(const Fit& fit, std::size_t begin, std::size_t end) const {
    const Quantity* before = nullptr;
    const std::size_t from = tokens_[begin].begin;
    const std::size_t to = tokens_[end - 1].end;
    for (const Quantity& number : numbers_) {
      if (number.in_name || number.begin < from || number.begin >= to) continue;
      if (!fit.is_exact || number.begin > tokens_[fit.token].begin) return &number;
      before = &number;
    }
    return before;
  }

  std::optional<Sign> SignIn(std::size_t begin, std::size_t end) const {
    constexpr std::array<std::string_view, 9> kOn = {"on",   "enabled", "enable",    "true", "yes",
                                                     "active", "enables", "activated", "allowed"};
    constexpr std::array<std::string_view, 9> kOff = {
        "off", "disabled", "disable", "false", "no", "inactive", "disables", "deactivated", "skipped"};
    std::optional<Sign> sign;
    bool is_negated = false;
    for (std::size_t i = begin; i < end; ++i) {
      const std::string& lower = tokens_[i].lower;
      // "turns on", "is on", not "on the device"
      const bool is_last = i + 1 == end || tokens_[i + 1].lower == "by" ||
                           tokens_[i + 1].lower == "unless" || tokens_[i + 1].lower == "out" ||
                           tokens_[i + 1].lower == "and";
      const bool is_loose = (lower == "on" || lower == "off" || lower == "no") && !is_last &&
                            !tokens_[i].in_code;
      if (IsOneOf(lower, kOn) && !is_loose) sign = Sign::kOn;
      if (IsOneOf(lower, kOff) && !is_loose) sign = Sign::kOff;
      is_negated = is_negated || tokens_[i].is_negation;
    }
    if (sign) return is_negated ? Flip(*sign) : *sign;
    if (!speaks_of_default_) return std::nullopt;
    return is_negated ? Sign::kOff : Sign::kOn;
  }

  std::string_view text_view_;
  const std::vector<Token>& tokens_;
  const std::vector<Quantity>& numbers_;
  const UnitHints& hints_;
  bool speaks_of_default_ = false;
  std::vector<ReadCard> cards_;
  std::vector<ValueFinding> findings_;
};

}  // namespace

bool SpeaksOfDefault(std::string_view text) {
  const std::string lower = LowerCase(text);
  constexpr std::array<std::string_view, 16> kCues = {
      "default",      "unless ",        "out of the box", "told otherwise", "not given",
      "unset",        "is not set",     "left alone",     "freshly",        "initially",
      "no value",     "unspecified",    "omitted",        "without overrides", "not specified",
      "without argument"};
  return std::any_of(kCues.begin(), kCues.end(), [&](std::string_view cue) {
    return lower.find(cue) != std::string::npos;
  });
}

std::vector<ValueFinding> JudgeValues(std::string_view text, const std::vector<Token>& tokens,
                                      const std::vector<Quantity>& numbers,
                                      const std::vector<Card>& cards, const UnitHints& hints,
                                      Tokenizer& tokenizer) {
  if (cards.empty()) return {};
  ValueJudge judge(text, tokens, numbers, hints);
  judge.Prepare(cards, tokenizer);
  return judge.Take();
}

}  // namespace sibyl::support
