// SPDX-License-Identifier: Apache-2.0
#include "support/numbers/derived_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/ascii.h"
#include "base/one_of.h"

namespace sibyl::support {
namespace {

// A sum, difference or product of two numbers that the statement itself gives:
// of the first ones, since a hostile statement has hundreds.
bool IsCalculated(const Quantity& said, const std::vector<const Quantity*>& given, bool concludes) {
  constexpr std::size_t kFewGiven = 8;
  const double value = said.value;
  const auto is = [value](double other) { return std::abs(value - other) <= 1e-9 * value; };
  if (value <= 0) return false;
  for (const Quantity* a : given) {
    for (const Quantity* b : given) {
      if (a == &said || b == &said || a == b) continue;
      // "two 64-bit words, so 16 bytes"
      constexpr double kBitsOfByte = 8;
      const bool is_of_bits = said.dimension == statement::Dimension::kBytes &&
                              a->dimension == statement::Dimension::kNone &&
                              b->dimension == statement::Dimension::kBits;
      if (is_of_bits && is(a->value * b->value / kBitsOfByte)) return true;
      if (is(a->value * b->value) || is(a->value + b->value) || is(a->value - b->value)) {
        return true;
      }
      // "four pages of 16,384 bytes, cut into 8-byte blocks, come to 8,192"
      if (given.size() > kFewGiven || !concludes) continue;
      for (const Quantity* c : given) {
        if (c == &said || c == a || c == b || c->value < 2) continue;
        if (a->value > 1 && b->value > 1 && is(a->value * b->value / c->value)) return true;
      }
    }
  }
  return false;
}

// "k is thus at least 10": what follows from the lines is not written there.
bool Concludes(const ReadStatement& read) {
  constexpr std::array<std::string_view, 12> kWords = {
      "thus", "therefore", "hence",   "consequently", "ends",     "amounts",
      "come", "comes",     "becomes", "then",         "instance", "would"};
  for (std::size_t i = 0; i < read.tokens.size(); ++i) {
    const Token& token = read.tokens[i];
    if (token.in_code) continue;
    const bool is_instance = token.lower == "example" && i > 0 && read.tokens[i - 1].lower == "for";
    if (is_instance || IsOneOf(token.lower, kWords)) return true;
  }
  return false;
}

// "In a cluster of 50 nodes", "A request for 20,000 bytes": an example.
bool IsSupposed(const Quantity& said, const ReadStatement& read) {
  constexpr std::array<std::string_view, 3> kLinks = {"of", "for", "with"};
  constexpr std::array<std::string_view, 3> kArticles = {"a", "an", "one"};
  const std::optional<std::size_t> at = read.TokenAt(said.begin);
  constexpr std::size_t kReach = 4;
  if (!said.version.empty() && said.version.find('.') != said.version.rfind('.')) return false;
  if (!at) return false;
  // "400 ms would ask for more": what is assumed is the subject.
  for (std::size_t i = *at + 1; i < std::min(*at + 3, read.tokens.size()); ++i) {
    if (read.tokens[i].lower == "would") return true;
  }
  if (*at < 2 || !IsOneOf(read.tokens[*at - 1].lower, kLinks)) return false;
  for (std::size_t i = *at - 1; i-- > 0 && *at - i <= kReach;) {
    if (IsOneOf(read.tokens[i].lower, kArticles)) return true;
  }
  return false;
}

// The next multiple of a number of the lines, or the next power of two.
bool IsRoundedUp(const Quantity& said, const Quantity& from, const Quantity& step) {
  const auto is = [&](double other) { return said.value == other; };
  const double multiple = std::ceil(from.value / step.value) * step.value;
  return from.value < said.value && step.value > 1 && is(multiple);
}

bool IsNextPower(const Quantity& said, const Quantity& from, const EvidenceText& evidence) {
  return from.value < said.value && from.value > 0 && evidence.HasWord("power") &&
         said.value == std::exp2(std::ceil(std::log2(from.value)));
}

// A product or a quotient of a number of the statement and one of the lines, what
// follows it, or what it is rounded up to.
bool IsConcluded(const Quantity& said, const std::vector<const Quantity*>& given,
                 const EvidenceText& evidence) {
  constexpr std::size_t kMost = 64;
  const auto is = [&](double other) {
    return std::abs(said.value - other) <= 1e-9 * std::abs(said.value);
  };
  const bool is_next = std::any_of(given.begin(), given.end(), [&](const Quantity* a) {
    return a != &said && a->value > 1 && (is(a->value + 1) || IsNextPower(said, *a, evidence));
  });
  if (is_next) return true;
  std::size_t compared = 0;
  for (const Quantity& there : evidence.quantities()) {
    if (++compared > kMost) break;
    for (const Quantity* a : given) {
      if (a == &said || there.value == 0 || there.value == 1) continue;
      // "400 ms would ask for 1,600"
      const bool is_bare = said.dimension == statement::Dimension::kNone;
      if (is_bare && a->digits > 1 && is(a->digits * there.value)) return true;
      if (a->value <= 1) continue;
      if (is(a->value * there.value) || is(a->value / there.value)) return true;
      if (IsRoundedUp(said, *a, there)) return true;
    }
  }
  return false;
}

// "2^64 - 2" where the lines have `MaxUint64 - 1`.
bool IsOfLargest(const Quantity& said, const EvidenceText& evidence) {
  constexpr double kLarge = 255;
  if (!said.is_power || said.value < kLarge) return false;
  return std::any_of(evidence.tokens().begin(), evidence.tokens().end(), [](const Token& token) {
    return token.kind == TokenKind::kName && token.lower.find("max") != std::string::npos &&
           std::any_of(token.lower.begin(), token.lower.end(), IsDigit);
  });
}

// The 2 of "2^64 - 2".
bool IsTakenFrom(const Quantity& said, const std::vector<Quantity>& all,
                 const EvidenceText& evidence) {
  constexpr std::size_t kReach = 6;  // bytes of a minus sign between blanks
  return std::any_of(all.begin(), all.end(), [&](const Quantity& power) {
    return power.end <= said.begin && said.begin - power.end < kReach &&
           IsOfLargest(power, evidence);
  });
}

// Those that are not parts of names; at most 24.
std::vector<const Quantity*> GivenNumbers(const std::vector<Quantity>& numbers) {
  constexpr std::size_t kMost = 24;
  std::vector<const Quantity*> given;
  for (const Quantity& number : numbers) {
    if (given.size() == kMost) break;
    if (!number.in_name) given.push_back(&number);
  }
  return given;
}

// 2^27 where the lines have `1 << NAME` and 27.
bool IsShifted(const Quantity& said, const EvidenceText& evidence) {
  if (!said.is_power || evidence.lines().find("1<<") == std::string_view::npos) return false;
  return std::any_of(
      evidence.quantities().begin(), evidence.quantities().end(), [&](const Quantity& there) {
        return !there.in_name && there.value > 1 && std::exp2(there.value) == said.value;
      });
}

// "28 bytes, or 224 bits"
bool IsInOtherWords(const Quantity& said, const std::vector<const Quantity*>& given,
                    const EvidenceText& evidence) {
  constexpr double kBitsOfByte = 8;
  const auto bytes_of = [](const Quantity& quantity) {
    if (quantity.dimension == statement::Dimension::kBits) return quantity.value / kBitsOfByte;
    return quantity.dimension == statement::Dimension::kBytes ? quantity.value : 0;
  };
  const double bytes = bytes_of(said);
  if (bytes <= 0) return false;
  return std::any_of(given.begin(), given.end(), [&](const Quantity* other) {
    return other != &said && other->digits != said.digits && bytes_of(*other) == bytes &&
           (IsShifted(*other, evidence) ||
            Match(*other, evidence.quantities(), evidence.hints()).fit == QuantityFit::kSame);
  });
}

}  // namespace

DerivedNumbers::DerivedNumbers(const ReadStatement& read, const EvidenceText& evidence)
    : read_(read), evidence_(evidence), given_(GivenNumbers(read.numbers)) {
  concludes_ = Concludes(read);
  has_example_ =
      concludes_ && std::any_of(given_.begin(), given_.end(),
                                [&](const Quantity* number) { return IsSupposed(*number, read); });
}

bool DerivedNumbers::IsCalculatedHere(const Quantity& said) const {
  return IsCalculated(said, given_, concludes_) || IsShifted(said, evidence_) ||
         IsInOtherWords(said, given_, evidence_);
}

bool DerivedNumbers::Follows(const Quantity& said) const {
  return has_example_ && (IsSupposed(said, read_) || IsConcluded(said, given_, evidence_));
}

bool DerivedNumbers::IsOfLimit(const Quantity& said) const {
  return IsOfLargest(said, evidence_) || IsTakenFrom(said, read_.numbers, evidence_);
}

}  // namespace sibyl::support
