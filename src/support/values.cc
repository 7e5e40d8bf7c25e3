// SPDX-License-Identifier: Apache-2.0
#include "support/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "support/card_values.h"
#include "support/claims.h"
#include "support/default_claims.h"

namespace sibyl::support {
namespace {

using cards::Card;

// "a.b." before the name that begins here.
std::string_view QualifierAt(std::string_view text, std::size_t name) {
  std::size_t begin = name;
  while (begin > 0 && (IsNameByte(text[begin - 1]) || text[begin - 1] == '.')) --begin;
  const std::string_view before = text.substr(begin, name - begin);
  return before.ends_with('.') ? before : std::string_view();
}

class ValueJudge {
 public:
  ValueJudge(std::string_view text, const std::vector<Token>& tokens,
             const std::vector<Quantity>& numbers, const UnitHints& hints,
             const std::vector<ReadCard>& cards)
      : text_view_(text), tokens_(tokens), numbers_(numbers), hints_(hints), cards_(cards) {
    speaks_of_default_ = SpeaksOfDefault(text);
    constexpr std::size_t kBeginning = 24;
    starts_with_default_ = SpeaksOfDefault(text.substr(0, kBeginning));
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
    bool is_full = false;  // not its name, but all of its parts, two or more
  };

  // Whether `part` is the stem of the word.
  static bool IsFormOf(std::string_view word, std::string_view part) {
    constexpr std::size_t kEnding = 2;
    return word.starts_with(part) && word.size() <= part.size() + kEnding;
  }

  bool HasPart(const std::string& part, std::size_t begin, std::size_t end,
               bool in_names = true) const {
    const Lexicon& lexicon = Lexicon::Ours();
    const auto groups = lexicon.GroupsOf(part);
    for (std::size_t i = begin; i < end; ++i) {
      const Token& token = tokens_[i];
      if (token.in_code && !in_names) continue;
      if (token.stem == part) return true;
      if (std::find(token.parts.begin(), token.parts.end(), part) != token.parts.end()) return true;
      const auto own = lexicon.GroupsOf(token.stem);
      for (const std::uint16_t group : groups) {
        if (std::find(own.begin(), own.end(), group) != own.end()) return true;
      }
      constexpr std::size_t kTelling = 4;
      if (part.size() >= kTelling && token.stem.size() >= kTelling &&
          (token.stem.starts_with(part) || token.lower.starts_with(part) ||
           part.starts_with(token.stem))) {
        return true;
      }
      // "GPUs" for ngpu
      if (part.size() >= kTelling && part[0] == 'n' && part.substr(1) == token.stem) return true;
      // "warm-up" for warmup
      if (i + 1 < end && IsFormOf(token.lower + tokens_[i + 1].lower, part)) return true;
    }
    return false;
  }

  // The last token of a name in code font that is several tokens: `--search-mode`.
  std::optional<std::size_t> NameWithMarks(const std::string& lower, std::size_t begin,
                                           std::size_t end) const {
    if (lower.find_first_of("-.") == std::string::npos) return std::nullopt;
    for (std::size_t i = begin; i < end; ++i) {
      if (!tokens_[i].in_code || !lower.starts_with(tokens_[i].lower)) continue;
      for (std::size_t last = i + 1; last < end && tokens_[last].in_code; ++last) {
        const std::size_t length = tokens_[last].end - tokens_[i].begin;
        if (length > lower.size()) break;
        if (LowerCase(text_view_.substr(tokens_[i].begin, length)) == lower) return last;
      }
    }
    return std::nullopt;
  }

  // `cuda.matmul.allow_tf32` is not the `cudnn.allow_tf32` of the lines.
  bool IsOfAnother(const ReadCard& card, std::size_t token) const {
    const std::string own = LowerCase(QualifierAt(text_view_, tokens_[token].begin));
    if (own.empty() || card.qualifier.empty()) return false;
    return !own.ends_with(card.qualifier) && !card.qualifier.ends_with(own);
  }

  Fit FitOf(const ReadCard& card, std::size_t begin, std::size_t end) const {
    Fit fit = {.card = &card};
    for (std::size_t i = begin; i < end; ++i) {
      const bool is_name = tokens_[i].in_code || tokens_[i].lower.find('_') != std::string::npos;
      if (tokens_[i].lower == card.lower && is_name) {
        if (IsOfAnother(card, i)) return {.card = &card};
        fit.is_exact = true;
        fit.token = i;
        fit.score = 10;
        return fit;
      }
    }
    if (const auto token = NameWithMarks(card.lower, begin, end)) {
      return {.card = &card, .score = 10, .token = *token, .is_exact = true};
    }
    if (card.parts.empty()) return fit;
    std::size_t matched = 0;
    for (const std::string& part : card.parts) matched += HasPart(part, begin, end) ? 1 : 0;
    const double share = static_cast<double>(matched) / static_cast<double>(card.parts.size());
    constexpr double kEnough = 0.6;
    const bool is_enough = share >= kEnough && (matched >= 2 || card.parts[0].size() >= 4);
    fit.score = is_enough ? share + 0.1 * static_cast<double>(matched) : 0;
    fit.is_full = matched >= 2 &&
                  std::all_of(card.parts.begin(), card.parts.end(), [&](const std::string& part) {
                    return HasPart(part, begin, end, false);
                  });
    return fit;
  }

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
    constexpr std::array<std::string_view, 16> kConditions = {
        "unless", "if",   "when", "once", "set",     "pass",    "use",    "whenever",
        "until",  "with", "add",  "give", "setting", "passing", "giving", "choosing"};
    // "…, with `x` at 4": a description after what it belongs to, not a condition.
    const bool is_described = begin > 0 && end == tokens_.size() && tokens_[begin].lower == "with";
    const bool is_condition = IsOneOf(tokens_[begin].lower, kConditions) && !is_described;
    // "if A is unset and B is 4", "if A is x, y or z and B is 4"
    const bool goes_on = is_condition_ && tokens_[begin].lower == "and";
    const bool is_listed = is_condition_ && !HasVerb({tokens_, begin, end});
    is_condition_ = is_condition || goes_on || is_listed;
    if (is_condition) return JudgeIfUnset(begin, end);
    if (goes_on) return;
    if (JudgeNumber(begin, end)) return;
    JudgeSign(begin, end);
    JudgeWord(begin, end);
  }

  // "Unless `X` is set, … 64": the only number or the only name in code font of
  // the rest is what X is by default.
  void JudgeIfUnset(std::size_t begin, std::size_t end) {
    constexpr std::array<std::string_view, 10> kUnset = {
        "not", "unset", "omitted", "none", "no", "left", "missing", "alone", "empty", "absent"};
    bool is_unset = tokens_[begin].lower == "unless" || tokens_[begin].lower == "without";
    for (std::size_t i = begin; i < end; ++i) {
      is_unset = is_unset || IsOneOf(tokens_[i].lower, kUnset);
    }
    if (!is_unset) return;
    bool is_clear = false;
    const Fit fit = Best(begin, end, is_clear, [](const ReadCard& card) {
      return card.number.has_value() || !card.word.empty();
    });
    if (fit.card == nullptr || !fit.is_exact || !is_clear) return;
    const ReadCard& card = *fit.card;
    if (IsAmbiguous(card,
                    [&](const ReadCard& other) { return other.card->value != card.card->value; })) {
      return;
    }
    const auto is_here = [&](std::size_t byte) {
      return byte >= tokens_[begin].begin && byte < tokens_[end - 1].end;
    };
    if (card.number) {
      const Quantity* only = nullptr;
      for (const Quantity& number : numbers_) {
        if (number.in_name || is_here(number.begin)) continue;
        if (only != nullptr) return;
        only = &number;
      }
      if (only != nullptr && support::Compare(*only, *card.number, hints_) == QuantityFit::kNone) {
        Report(*card.card, true);
      }
      return;
    }
    const Token* only = nullptr;
    for (const Token& token : tokens_) {
      if (token.lower == card.word) return;
      if (!token.in_code || is_here(token.begin) || token.weight == WordWeight::kNone) continue;
      if (only != nullptr) return;
      only = &token;
    }
    if (only != nullptr && HasVerb({tokens_, 0, tokens_.size()})) Report(*card.card, true);
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
    // Perhaps it is said of another definition, which has this number.
    const bool is_elsewhere =
        !fit.is_exact && std::any_of(cards_.begin(), cards_.end(), [&](const ReadCard& card) {
          return card.number &&
                 support::Compare(*number, *card.number, hints_) != QuantityFit::kNone;
        });
    if (support::Compare(*number, *fit.card->number, hints_) == QuantityFit::kNone) {
      Report(*fit.card->card,
             !is_elsewhere || (fit.is_full && is_clear) || !MayMeanAnother(*number));
    } else if (fit.is_exact) {
      given_ = fit.card;
    }
    return true;
  }

  // Whether the statement has a word of a name that the lines give this number.
  bool MayMeanAnother(const Quantity& number) const {
    return std::any_of(cards_.begin(), cards_.end(), [&](const ReadCard& card) {
      if (!card.number || support::Compare(number, *card.number, hints_) == QuantityFit::kNone) {
        return false;
      }
      return std::any_of(card.parts.begin(), card.parts.end(),
                         [&](const std::string& part) { return HasPart(part, 0, tokens_.size()); });
    });
  }

  void JudgeSign(std::size_t begin, std::size_t end) {
    Claim claim = ClaimOf({tokens_, begin, end});
    if (claim.sign == Sign::kNone) {
      // "A and B are off": the sign follows.
      const std::size_t next = ClauseEnd(tokens_, end);
      if (end < tokens_.size() && tokens_[end].lower == "and" && !claim.is_negated &&
          !HasVerb({tokens_, begin, end})) {
        const Claim after = ClaimOf({tokens_, end, next});
        const bool is_own = after.sign == Sign::kNone && SpeaksOfDefault(ClauseText(begin, end));
        if (!is_own) claim = after;
        claim.is_implied = is_own;
      }
    }
    // "leaves out the tests and the benchmarks": both.
    constexpr std::size_t kShort = 3;
    const bool is_joined =
        begin > 0 && end - begin <= kShort && tokens_[begin].lower == "and" && claim.is_implied;
    if (is_joined && claim_before_.is_implied && claim_before_.is_negated) claim = claim_before_;
    claim_before_ = claim;
    bool is_clear = false;
    Fit fit =
        Best(begin, end, is_clear, [](const ReadCard& card) { return card.sign != Sign::kNone; });
    if (claim.sign == Sign::kOff && speaks_of_default_) JudgeOffText(begin, end);
    if (fit.score == 0 && speaks_of_default_) fit = Described(begin, end, is_clear);
    if (fit.score > 0) {
      last_ = fit;
    } else if (tokens_[begin].lower == "it" && last_.card != nullptr) {
      fit = last_;
      is_clear = true;
    } else {
      return;
    }
    const bool has_cue = starts_with_default_ || SpeaksOfDefault(ClauseText(begin, end)) ||
                         IsBeforeUnless({tokens_, begin, end});
    Sign said = claim.sign;
    const bool has_number = std::any_of(numbers_.begin(), numbers_.end(), [&](const Quantity& n) {
      return !n.in_name && n.begin >= tokens_[begin].begin && n.begin < tokens_[end - 1].end;
    });
    // "`x` defaults to 1, which means no …": the value is given already.
    const bool is_given = given_ != nullptr && fit.card == given_;
    if (said == Sign::kNone && claim.is_implied && has_cue && !has_number && !is_given) {
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
    // "`X` is off" of an option is about its default, too.
    const bool is_option =
        fit.is_exact && fit.card->card->kind == cards::CardKind::kOption && !claim.is_implied;
    Report(*fit.card->card, is_clear && (speaks_of_default_ || is_option));
  }

  // The switch whose description has two words of the clause or more, and more
  // than all others.
  Fit Described(std::size_t begin, std::size_t end, bool& is_clear) const {
    constexpr std::size_t kFewest = 2;
    Fit best;
    std::size_t most = 0;
    std::size_t second = 0;
    for (const ReadCard& card : cards_) {
      if (card.sign == Sign::kNone || card.is_negative) continue;
      std::size_t words = 0;
      for (std::size_t i = begin; i < end; ++i) {
        words += tokens_[i].weight == WordWeight::kFull && tokens_[i].kind != TokenKind::kNumber &&
                         std::find(card.about.begin(), card.about.end(), tokens_[i].stem) !=
                             card.about.end()
                     ? 1
                     : 0;
      }
      second = std::max(second, std::min(words, most));
      if (words > most) {
        most = words;
        best = {.card = &card, .score = 1};
      }
    }
    is_clear = most >= kFewest && most > second;
    return is_clear ? best : Fit{};
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
      Report(*fit.card->card, is_clear && (fit.is_exact || fit.is_full));
      return;
    }
  }

  std::string_view ClauseText(std::size_t begin, std::size_t end) const {
    return text_view_.substr(tokens_[begin].begin, tokens_[end - 1].end - tokens_[begin].begin);
  }

  void Report(const Card& card, bool is_sure) {
    findings_.push_back({.is_sure = is_sure,
                         .message = fmt::format("in the cited lines, {} is {}", card.name,
                                                card.value.empty() ? "empty" : card.value),
                         .nearest = fmt::format("{} = {}", card.name, card.value)});
  }

  // The number that the clause gives to the name: "`x` is 4", "`x` defaults to
  // 4"; without the name, the only number of a clause about a default.
  const Quantity* NumberIn(const Fit& fit, std::size_t begin, std::size_t end) const {
    constexpr std::array<std::string_view, 23> kBetween = {
        "is",    "default",  "are",    "at",    "to",    "set",   "sets", "equals",
        "equal", "defaults", "fixed",  "fixes", "has",   "value", "the",  "a",
        "an",    "as",       "starts", "both",  "works", "out",   "index"};
    const std::size_t from = tokens_[begin].begin;
    const std::size_t to = tokens_[end - 1].end;
    if (fit.is_exact) {
      if (const Quantity* number = NumberBeforeBrackets(fit)) return number;
    }
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

  // "at most twelve sources (`MAX_SOURCES`)"
  const Quantity* NumberBeforeBrackets(const Fit& fit) const {
    constexpr std::size_t kFarthest = 3;  // tokens
    const std::size_t name = tokens_[fit.token].begin;
    const std::size_t open = text_view_.find_last_not_of('`', name == 0 ? 0 : name - 1);
    if (name == 0 || open == std::string_view::npos || text_view_[open] != '(') return nullptr;
    const Quantity* nearest = nullptr;
    for (const Quantity& number : numbers_) {
      if (number.in_name || number.end > open) continue;
      nearest = &number;
    }
    if (nearest == nullptr) return nullptr;
    std::size_t between = 0;
    for (std::size_t i = fit.token; i > 0 && tokens_[i - 1].begin > nearest->begin; --i) ++between;
    const bool is_apart =
        text_view_.substr(nearest->end, open - nearest->end).find_first_of(",;(") !=
        std::string_view::npos;
    return between <= kFarthest && !is_apart ? nearest : nullptr;
  }

  std::string_view text_view_;
  const std::vector<Token>& tokens_;
  const std::vector<Quantity>& numbers_;
  const UnitHints& hints_;
  bool speaks_of_default_ = false;
  bool starts_with_default_ = false;
  const std::vector<ReadCard>& cards_;
  Claim claim_before_;               // of the last clause
  bool is_condition_ = false;        // the last clause
  Fit last_;                         // what "it" is
  const ReadCard* given_ = nullptr;  // whose number a clause before gives
  std::vector<ValueFinding> findings_;
};

// Of several definitions with one name, those whose function or class the
// statement names.
void KeepNamedOwners(const ReadStatement& read, std::vector<ReadCard>& cards) {
  const auto is_named = [&](const ReadCard& card) {
    const std::string owner = LowerCase(card.card->owner);
    return !owner.empty() && std::any_of(read.tokens.begin(), read.tokens.end(),
                                         [&](const Token& t) { return t.lower == owner; });
  };
  std::set<std::string> named;
  for (const ReadCard& card : cards) {
    if (is_named(card)) named.insert(card.lower);
  }
  std::erase_if(
      cards, [&](const ReadCard& card) { return named.contains(card.lower) && !is_named(card); });
}

// The comment directly above a definition, whatever the language.
std::string_view CommentAbove(std::string_view lines, std::size_t offset) {
  std::size_t end = offset == 0 ? 0 : lines.rfind('\n', offset - 1);
  if (end == std::string_view::npos) return {};
  const std::size_t last = end;
  while (end > 0) {
    const std::size_t begin = lines.rfind('\n', end - 1);
    const std::size_t from = begin == std::string_view::npos ? 0 : begin + 1;
    const std::string_view line = Trim(lines.substr(from, end - from));
    if (!line.starts_with('#') && !line.starts_with("//") && !line.starts_with('*')) break;
    end = from == 0 ? 0 : from - 1;
    if (from == 0) return lines.substr(0, last);
  }
  return lines.substr(end, last - end);
}

// "# This flag defaults to False." above an example that sets it to True: the example is
// not the default.
bool IsSetForExample(const EvidenceText& evidence, const Card& card) {
  const std::string above = LowerCase(CommentAbove(evidence.lines(), card.offset));
  const std::size_t defaults = above.find("defaults to ");
  if (defaults == std::string::npos || card.value.empty()) return false;
  return above.find(LowerCase(card.value), defaults) == std::string::npos;
}

// option(X "Enable JIT compilation" OFF): the words beside the name.
void ReadDescriptions(const EvidenceText& evidence, std::vector<ReadCard>& cards) {
  const std::vector<Token>& tokens = evidence.tokens();
  for (ReadCard& card : cards) {
    if (card.sign == Sign::kNone) continue;
    const std::size_t end =
        std::min(evidence.lines().find('\n', card.card->offset), evidence.lines().size());
    auto token = std::lower_bound(tokens.begin(), tokens.end(), card.card->offset,
                                  [](const Token& t, std::size_t at) { return t.begin < at; });
    for (; token != tokens.end() && token->begin < end; ++token) {
      card.about.push_back(token->stem);
      card.about.insert(card.about.end(), token->parts.begin(), token->parts.end());
    }
  }
}

}  // namespace

std::vector<ValueFinding> JudgeValues(const ReadStatement& read, const std::vector<Card>& cards,
                                      const EvidenceText& evidence, Tokenizer& tokenizer) {
  std::vector<ReadCard> values = ReadValues(cards, tokenizer);
  KeepNamedOwners(read, values);
  for (ReadCard& value : values) {
    // Where a value is read, the name is before it.
    const std::size_t name = evidence.lines().rfind(value.card->name, value.card->offset);
    if (name == std::string_view::npos) continue;
    value.qualifier = LowerCase(QualifierAt(evidence.lines(), name));
  }
  std::erase_if(values,
                [&](const ReadCard& value) { return IsSetForExample(evidence, *value.card); });
  if (SpeaksOfDefault(read.statement.text)) ReadDescriptions(evidence, values);
  std::vector<ValueFinding> findings = JudgeDefaultClaims(read, values);
  if (cards.empty()) return findings;
  std::vector<ValueFinding> more =
      ValueJudge(read.statement.text, read.tokens, read.numbers, evidence.hints(), values).Take();
  std::move(more.begin(), more.end(), std::back_inserter(findings));
  return findings;
}

}  // namespace sibyl::support
