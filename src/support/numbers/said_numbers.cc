// SPDX-License-Identifier: Apache-2.0
#include "support/numbers/said_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "support/numbers/derived_numbers.h"
#include "support/numbers/unit_words.h"

namespace sibyl::support {
namespace {

// "three quarters" where the only fraction of the lines is 0.5.
bool IsOtherFraction(const Quantity& said, const EvidenceText& evidence) {
  constexpr double kHalf = 0.5;  // said loosely
  if (!said.is_word || said.digits <= 0 || said.digits >= 1 || said.digits == kHalf) return false;
  std::size_t fractions = 0;
  for (const Quantity& there : evidence.quantities()) {
    if (there.in_name || there.value <= 0 || there.value >= 1) continue;
    if (there.dimension == statement::Dimension::kNone) ++fractions;
  }
  return fractions == 1;
}

// "line 12", "lines 12-20", "12-20": where it is, not what it says.
bool IsLineNumber(const Quantity& said, const ReadStatement& read) {
  const std::optional<std::size_t> token = read.TokenAt(said.begin);
  if (token && *token > 0) {
    const std::string& before = read.tokens[*token - 1].lower;
    if (before == "line" || before == "lines") return true;
  }
  const std::string_view text = read.statement.text;
  const bool ends_range =
      said.begin > 1 && text[said.begin - 1] == '-' && IsDigit(text[said.begin - 2]);
  const bool begins_range =
      said.end + 1 < text.size() && text[said.end] == '-' && IsDigit(text[said.end + 1]);
  return ends_range || begins_range;
}

// "C++17", "gfx11", "sm_90": the digits are a claim unless the lines have the
// whole name.
bool IsPartOfFoundName(const Quantity& said, const ReadStatement& read) {
  if (!said.in_name) return false;
  const std::optional<std::size_t> token = read.TokenAt(said.begin);
  return !token || read.grounds[*token].ground >= Ground::kSynonym;
}

// "sixty", "sixty days" where the lines have `sixtyDaysAgo`.
bool IsPartOfName(const Quantity& said, const ReadStatement& read) {
  const std::optional<std::size_t> token = read.TokenAt(said.begin);
  if (!said.is_word || !token || read.grounds[*token].ground < Ground::kForm) return false;
  const bool has_unit = said.dimension != statement::Dimension::kNone;
  const bool is_one_word =
      read.tokens[*token].end == said.end ||
      (has_unit && *token + 1 < read.tokens.size() && read.tokens[*token + 1].end == said.end);
  return is_one_word;
}

// The only number of the lines that measures or counts the same; empty if there
// is none, or more than one.
std::string SaidInstead(const Quantity& said, const EvidenceText& evidence, Stems& stems) {
  const bool has_unit = said.dimension != statement::Dimension::kNone;
  if (!has_unit && said.noun.empty()) return {};
  const std::string noun = stems.Of(said.noun);
  const Quantity* only = nullptr;
  for (const Quantity& quantity : evidence.quantities()) {
    if (quantity.dimension != said.dimension) continue;
    if (!has_unit && (quantity.noun.empty() || stems.Of(quantity.noun) != noun)) continue;
    if (only != nullptr && only->value != quantity.value) return {};
    only = &quantity;
  }
  if (only == nullptr) return {};
  const std::string_view text = evidence.lines().substr(only->begin, only->end - only->begin);
  return std::string(Trim(text.substr(0, text.find_first_of("\"'\n"))));
}

// "30 GB" where the lines have 30, and mention only MB.
bool IsInOtherUnit(const Quantity& said, const UnitHints& hints) {
  if (said.digits <= 0) return false;
  const double factor = said.value / said.digits;
  const auto is = [factor](double unit) { return factor > unit * 0.8 && factor < unit * 1.2; };
  struct Hint {
    bool is_there;
    double factor;
  };
  const auto conflicts = [&is](const auto& all) {
    const auto is_there = [](const Hint& hint) { return hint.is_there; };
    return std::any_of(all.begin(), all.end(), is_there) &&
           std::none_of(all.begin(), all.end(),
                        [&](const Hint& hint) { return hint.is_there && is(hint.factor); });
  };
  if (said.dimension == statement::Dimension::kBytes) {
    return conflicts(std::array<Hint, 4>{
        {{hints.bytes, 1}, {hints.kilo, 1024}, {hints.mega, 1048576}, {hints.giga, 1073741824}}});
  }
  // "four bits" where the lines count in bytes.
  if (said.dimension == statement::Dimension::kBits) return hints.bytes && !hints.bits;
  if (said.dimension == statement::Dimension::kSeconds) {
    return conflicts(std::array<Hint, 4>{
        {{hints.seconds, 1}, {hints.milli, 1e-3}, {hints.micro, 1e-6}, {hints.nano, 1e-9}}});
  }
  return false;
}

// The lines give such sizes with their unit, but not this one.
bool HasThisUnit(const Quantity& said, const EvidenceText& evidence) {
  const bool is_size = said.dimension == statement::Dimension::kBytes ||
                       said.dimension == statement::Dimension::kSeconds;
  return is_size && std::any_of(evidence.quantities().begin(), evidence.quantities().end(),
                                [&](const Quantity& quantity) {
                                  return quantity.dimension == said.dimension;
                                });
}

// "H100", "half", "zero": if the lines do not have it, it counts as a missing
// word, and is not a doubt by itself (4 false and 15 true statements).
bool IsLoose(const Quantity& said) {
  return said.in_name ||
         (said.is_word && said.digits < 1 && said.dimension == statement::Dimension::kNone);
}

// "ten minutes" where the lines give other sizes or times.
bool IsOtherSize(const Quantity& said, const EvidenceText& evidence) {
  const UnitHints& hints = evidence.hints();
  if (!said.is_word) return false;
  const bool has_bytes = hints.bytes || hints.kilo || hints.mega || hints.giga;
  const bool has_time = hints.seconds || hints.milli || hints.micro || hints.nano;
  return HasThisUnit(said, evidence) ||
         (said.dimension == statement::Dimension::kBytes && has_bytes) ||
         (said.dimension == statement::Dimension::kSeconds && has_time);
}

bool IsCount(const Quantity& said) {
  const bool has_unit = said.dimension != statement::Dimension::kNone &&
                        said.dimension != statement::Dimension::kTimes;
  return said.is_word && !has_unit && said.digits >= 2 && said.digits == std::floor(said.digits);
}

// "the 40 GB card" where the lines have `a100_40gb_profiles`.
bool IsSpelledInName(const Quantity& said, const ReadStatement& read,
                     const EvidenceText& evidence) {
  if (said.is_word || said.in_name || said.dimension == statement::Dimension::kNone) return false;
  std::string compact = LowerCase(read.statement.text.substr(said.begin, said.end - said.begin));
  std::erase(compact, ' ');
  if (compact.empty() || IsDigit(compact.back())) return false;
  return std::any_of(evidence.tokens().begin(), evidence.tokens().end(), [&](const Token& token) {
    if (token.kind != TokenKind::kName) return false;
    const std::size_t at = token.lower.find("_" + compact);
    return at != std::string::npos && (at + compact.size() + 1 == token.lower.size() ||
                                       token.lower[at + compact.size() + 1] == '_');
  });
}

// "three" is the number of things that the lines list.
bool IsCounted(const Quantity& said, const std::vector<std::size_t>& counted) {
  return IsCount(said) &&
         std::binary_search(counted.begin(), counted.end(), static_cast<std::size_t>(said.digits));
}

// "four modes": a claim that the lines must have, unless it is assumed ("with
// four lists, …", "… if there are four"), or it is a part of something ("the first four").
// Two things can be found in any lines.
bool IsClaimedCount(const Quantity& said, const ReadStatement& read) {
  constexpr double kFewest = 3;
  constexpr double kMost = 99;
  constexpr std::array<std::string_view, 8> kAssume = {"with",  "for",  "if",       "when",
                                                       "given", "once", "whenever", "where"};
  constexpr std::array<std::string_view, 6> kPart = {"first", "last", "next",
                                                     "other", "of",   "every"};
  const std::optional<std::size_t> at = read.TokenAt(said.begin);
  if (!IsCount(said) || said.digits < kFewest || said.digits > kMost || !at) return false;
  if (*at > 0 && IsOneOf(read.tokens[*at - 1].lower, kPart)) return false;
  // "…, among them these three.": what follows is counted.
  if (*at > 0 && *at + 1 == read.tokens.size() && read.tokens[*at - 1].lower == "these") {
    return false;
  }
  const std::uint32_t clause = read.tokens[*at].clause;
  std::size_t first = *at;
  while (first > 0 && read.tokens[first - 1].clause == clause) --first;
  // "with two lists and four stages"
  if (read.tokens[first].lower == "and" && first > 0) {
    const std::uint32_t before = read.tokens[first - 1].clause;
    while (first > 0 && read.tokens[first - 1].clause == before) --first;
  }
  std::size_t next = *at;
  while (next < read.tokens.size() && read.tokens[next].clause == clause) ++next;
  // "With fewer threads the kernel asks for four": what follows the assumption is claimed.
  constexpr std::size_t kAssumption = 6;
  if (IsOneOf(read.tokens[first].lower, kAssume) && *at - first <= kAssumption) return false;
  return next == read.tokens.size() || !IsOneOf(read.tokens[next].lower, kAssume);
}

// "if `minor` is 0" where the lines have `minor ? 4 : 2` or `if (!minor)`.
bool IsTestedZero(const Quantity& said, const ReadStatement& read, const EvidenceText& evidence) {
  const std::optional<std::size_t> token = read.TokenAt(said.begin);
  if (said.value != 0 || !token || *token < 2 || read.tokens[*token - 1].lower != "is") {
    return false;
  }
  const Token& name = read.tokens[*token - 2];
  if (!name.in_code) return false;
  for (const Token& other : evidence.tokens()) {
    if (other.lower != name.lower) continue;
    const std::string_view lines = evidence.lines();
    const bool is_denied = other.begin > 0 && lines[other.begin - 1] == '!';
    if (is_denied || lines.substr(other.end).starts_with(" ? ")) return true;
  }
  return false;
}

// "835 TFLOPS, …, 756 with PCIe": the unit of the number before.
QuantityFit FitInUnitBefore(const Quantity& said, const std::vector<Quantity>& all,
                            const EvidenceText& evidence) {
  if (said.dimension != statement::Dimension::kNone || said.is_word || !said.noun.empty()) {
    return QuantityFit::kNone;
  }
  const Quantity* before = nullptr;
  for (const Quantity& other : all) {
    if (&other == &said) break;
    if (other.dimension != statement::Dimension::kNone && other.digits > 0) before = &other;
  }
  if (before == nullptr) return QuantityFit::kNone;
  Quantity whole = said;
  whole.dimension = before->dimension;
  whole.value = said.digits * before->value / before->digits;
  return Match(whole, evidence.quantities(), evidence.hints()).fit;
}

// "two channels" where the lines have "4 channels", and two only in `shape[-2]`.
bool IsOnlyIndex(const Quantity& said, const EvidenceText& evidence) {
  bool is_index = false;
  for (const Quantity& quantity : evidence.quantities()) {
    if (Compare(said, quantity, evidence.hints()) != QuantityFit::kSame) continue;
    const std::string_view before = evidence.lines().substr(0, quantity.begin);
    is_index = before.ends_with('[') || before.ends_with("[-");
    if (!is_index) return false;
  }
  return is_index;
}

QuantityFit FitOf(const Quantity& said, const ReadStatement& read, const EvidenceText& evidence) {
  QuantityFit fit = Match(said, evidence.quantities(), evidence.hints()).fit;
  // 2^-24 where the lines divide by 16777216
  if (fit != QuantityFit::kSame && said.is_power && said.value > 0 && said.value < 1) {
    const double whole = 1 / said.value;
    fit = Match({.digits = whole, .value = whole}, evidence.quantities(), evidence.hints()).fit;
  }
  return fit == QuantityFit::kNone ? FitInUnitBefore(said, read.numbers, evidence) : fit;
}

// "three times" where the lines have "twice".
bool IsOtherFactor(const Quantity& said, const EvidenceText& evidence) {
  if (said.dimension != statement::Dimension::kTimes || !said.is_word) return false;
  if (evidence.HasWord("twice") || evidence.HasWord("thrice")) return true;
  return std::any_of(evidence.quantities().begin(), evidence.quantities().end(),
                     [&](const Quantity& quantity) {
                       return quantity.dimension == said.dimension && quantity.is_word;
                     });
}

// "a buffer of 63 bytes" where the lines have "64-byte" and "63 characters".
bool IsCountOnly(const Quantity& said, const EvidenceText& evidence) {
  if (said.dimension != statement::Dimension::kBytes || !HasThisUnit(said, evidence)) return false;
  bool is_count = false;
  for (const Quantity& quantity : evidence.quantities()) {
    if (Compare(said, quantity, evidence.hints()) != QuantityFit::kSame) continue;
    constexpr std::size_t kTelling = 5;
    is_count =
        quantity.dimension == statement::Dimension::kNone && quantity.noun.size() >= kTelling;
    if (!is_count) return false;
  }
  return is_count;
}

// The number is there, but counts or indexes something else.
bool IsOfAnother(const Quantity& said, const EvidenceText& evidence, Stems& stems) {
  const bool is_index =
      said.is_word && IsOnlyIndex(said, evidence) && !SaidInstead(said, evidence, stems).empty();
  return is_index || IsCountOnly(said, evidence);
}

// "two SIMDs" where the lines have "four units (SIMDs)": the number before the same noun.
const Quantity* NumberOfNoun(const Quantity& said, const EvidenceText& evidence, Stems& stems) {
  constexpr std::size_t kReach = 60;  // bytes
  constexpr std::size_t kTelling = 4;
  if (said.noun.size() < kTelling) return nullptr;
  const std::string noun = stems.Of(said.noun);
  constexpr std::size_t kMost = 16;  // places of the noun
  const Quantity* only = nullptr;
  std::size_t places = 0;
  for (const Token& token : evidence.tokens()) {
    if (token.stem != noun) continue;
    if (++places > kMost) return nullptr;
    const Quantity* before = nullptr;
    for (const Quantity& there : evidence.quantities()) {
      if (there.begin >= token.begin) break;
      before = there.in_name ? before : &there;
    }
    if (before == nullptr || token.begin - before->end > kReach) return nullptr;
    const std::string_view gap = evidence.lines().substr(before->end, token.begin - before->end);
    if (gap.find_first_of(".;:,=\n") != std::string_view::npos || !before->is_word) return nullptr;
    if (only != nullptr && only->value != before->value) return nullptr;
    only = before;
  }
  return only;
}

// Whether a number that is not there as such is only a doubt.
bool IsSoft(const Quantity& said, QuantityFit fit, bool in_context, const EvidenceText& evidence) {
  const bool is_other_unit = fit == QuantityFit::kDoubtful &&
                             (IsInOtherUnit(said, evidence.hints()) || HasThisUnit(said, evidence));
  const bool is_there = fit != QuantityFit::kNone && !is_other_unit;
  if (said.in_name || in_context || is_there) return true;
  const bool is_none = fit == QuantityFit::kNone;
  if (is_none && (IsOtherFactor(said, evidence) || IsOtherFraction(said, evidence))) return false;
  // "ten thousand calls" counts nothing that the lines list.
  constexpr double kLarge = 100;
  const bool is_exact = said.digits >= kLarge && said.rounding == Rounding::kNone;
  return said.is_word && !is_exact && !IsOtherSize(said, evidence);
}

// Whether the lines have another number for what this one counts.
bool HasNounAnother(const Quantity& said, const EvidenceText& evidence, Stems& stems) {
  if (!IsCount(said)) return false;
  const Quantity* of_noun = NumberOfNoun(said, evidence, stems);
  return of_noun != nullptr && of_noun->value != said.value;
}

}  // namespace

SaidNumbers JudgeNumbers(const ReadStatement& read, const EvidenceText& evidence,
                         const OtherNumbers& others, Stems& stems) {
  constexpr double kDigitsWeight = 1.5;
  constexpr double kSureFit = 0.5;
  constexpr std::size_t kMostNumbers = 100;
  SaidNumbers result;
  const Proximity proximity(read, evidence);
  const DerivedNumbers derived(read, evidence);
  if (std::string unit = OtherUnitWord(read, evidence); !unit.empty()) {
    result.missing.push_back(std::move(unit));
  }
  std::size_t read_numbers = 0;
  for (const Quantity& said : read.numbers) {
    if (++read_numbers > kMostNumbers) {
      result.doubtful.emplace_back("one of so many numbers");
      break;
    }
    if (IsPartOfFoundName(said, read)) continue;
    const double weight = said.is_word ? 1 : kDigitsWeight;
    result.weight += weight;
    QuantityFit fit = FitOf(said, read, evidence);
    if (fit == QuantityFit::kSame && IsOfAnother(said, evidence, stems)) fit = QuantityFit::kNone;
    const bool is_calculated =
        Match(said, others.calculated, evidence.hints()).fit == QuantityFit::kSame;
    if (fit == QuantityFit::kSame || is_calculated || IsPartOfName(said, read) ||
        IsSpelledInName(said, read, evidence) || IsTestedZero(said, read, evidence)) {
      result.found += weight;
      ++result.same;
      if (const auto at = read.TokenAt(said.begin)) result.clauses.insert(read.tokens[*at].clause);
      continue;
    }
    const bool in_context = Match(said, others.around, evidence.hints()).fit == QuantityFit::kSame;
    const std::string text = read.statement.text.substr(said.begin, said.end - said.begin);
    const bool is_asked = said.is_word || result.missing.empty();
    const std::string instead = is_asked ? SaidInstead(said, evidence, stems) : std::string();
    const std::optional<std::size_t> token = read.TokenAt(said.begin);
    // "three warps" where the lines say "8 warps" is sure, "three ways" is not.
    const bool is_counted =
        said.is_word && !instead.empty() && token && proximity.BestNumberAt(*token) > kSureFit;
    const bool is_given =
        (!is_counted && (derived.IsCalculatedHere(said) || IsCounted(said, others.counted))) ||
        (in_context && IsLineNumber(said, read));
    if (is_given) {
      result.found += weight;
      continue;
    }
    const bool is_claimed = IsClaimedCount(said, read) && !in_context && fit == QuantityFit::kNone;
    const bool follows = derived.Follows(said);
    const bool is_of_other =
        fit == QuantityFit::kNone && !in_context && HasNounAnother(said, evidence, stems);
    const bool is_sure = is_of_other || IsOtherTime(said, read, evidence);
    const bool is_soft =
        !is_sure && (IsSoft(said, fit, in_context, evidence) || follows || derived.IsOfLimit(said));
    if (is_soft && !is_counted && (!is_claimed || follows)) {
      if (!IsLoose(said)) result.doubtful.push_back(text);
      continue;
    }
    if (result.missing.empty()) result.instead = instead;
    result.missing.push_back(text);
  }
  return result;
}

}  // namespace sibyl::support
