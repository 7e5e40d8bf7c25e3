// SPDX-License-Identifier: Apache-2.0
#include "support/proximity.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/one_of.h"
#include "support/claims.h"
#include "support/lexicon.h"

namespace sibyl::support {
namespace {

constexpr double kReach = 8;

// How near a place is to the nearest of others: 1 side by side, 0 far away.
double AffinityOfOne(std::uint32_t place, const std::vector<std::uint32_t>& others) {
  const auto after = std::lower_bound(others.begin(), others.end(), place);
  std::uint32_t least = UINT32_MAX;
  if (after != others.end()) least = *after - place;
  if (after != others.begin()) least = std::min(least, place - *(after - 1));
  return 1 / (1 + least / kReach);
}

// The same for the two places that are nearest to each other.
double Affinity(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  if (a.empty() || b.empty()) return 0;
  if (a.size() == 1) return AffinityOfOne(a[0], b);
  std::uint32_t least = UINT32_MAX;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    least = std::min(least, a[i] < b[j] ? b[j] - a[i] : a[i] - b[j]);
    (a[i] < b[j] ? i : j) += 1;
  }
  return 1 / (1 + least / kReach);
}

}  // namespace

BetterFits Proximity::Compare() const {
  BetterFits fits;
  CompareOpposites(fits);
  CompareNumbers(fits);
  return fits;
}

std::vector<Proximity::Neighbour> Proximity::NeighboursOf(std::size_t token) const {
  constexpr double kNear = 3;
  constexpr double kLeastWeight = 0.3;
  std::vector<Neighbour> near;
  for (std::size_t i = 0; i < read_.tokens.size(); ++i) {
    if (i == token || read_.tokens[i].clause != read_.tokens[token].clause) continue;
    const double weight = WeightOf(read_.tokens[i]);
    if (weight < kLeastWeight || read_.grounds[i].positions.empty()) continue;
    const auto distance = static_cast<double>(i < token ? token - i : i - token);
    near.push_back({.token = i, .weight = weight / (1 + distance / kNear)});
  }
  return near;
}

double Proximity::Fit(const Positions& positions, const std::vector<Neighbour>& near) const {
  double sum = 0;
  double all = 0;
  for (const Neighbour& other : near) {
    sum += other.weight * Affinity(positions, read_.grounds[other.token].positions);
    all += other.weight;
  }
  return all > 0 ? sum / all : 0;
}

double Proximity::BestNumberAt(std::size_t token) const {
  const std::vector<Neighbour> near = NeighboursOf(token);
  double best = 0;
  for (const Quantity& quantity : evidence_.quantities()) {
    if (quantity.in_name || quantity.is_derived) continue;
    best = std::max(best, Fit({evidence_.PositionAt(quantity.begin)}, near));
  }
  return best;
}

void Proximity::CompareOpposites(BetterFits& fits) const {
  const Lexicon& lexicon = Lexicon::Ours();
  for (std::size_t i = 0; i < read_.tokens.size(); ++i) {
    const Token& token = read_.tokens[i];
    if (token.in_code || IsPreposition(read_.tokens, i) || IsException(i)) continue;
    for (const Pole pole : lexicon.PolesOf(token.lower, token.stem)) {
      const Pole other = {.axis = pole.axis, .is_left = !pole.is_left};
      const Positions& same = evidence_.PositionsOf(pole);
      const Positions& opposite = evidence_.PositionsOf(other);
      if (opposite.empty() || Says(other) || IsNegated(i) || IsSigned(i)) continue;
      if (!same.empty()) {
        const std::vector<Neighbour> near = NeighboursOf(i);
        fits.opposite = std::max(fits.opposite, Fit(opposite, near) - Fit(same, near));
        if (IsRightBefore(opposite, i + 1) && !IsRightBefore(same, i + 1)) {
          fits.opposed.push_back(token.lower);
        }
      } else if (read_.grounds[i].ground == Ground::kNone && !evidence_.IsNegatedAt(opposite)) {
        if (IsBound(i) || IsCrossed(i, opposite)) continue;
        fits.opposed.push_back(token.lower);
        constexpr double kBeside = 0.4;
        if (lexicon.IsSure(pole) && IsOfSameSide(i, opposite) && !IsSpan(i) &&
            !IsOnlyInNames(opposite) && Fit(opposite, NeighboursOf(i)) >= kBeside) {
          fits.contradicted = token.lower;
        }
        if (!IsOnlyInNames(opposite) && IsInSamePlace(i, opposite)) fits.contradicted = token.lower;
      }
    }
  }
}

// BLOCK_ROWS, INT_MAX: a part of a name says little about what the lines are of.
bool Proximity::IsOnlyInNames(const Positions& positions) const {
  const std::vector<Token>& tokens = evidence_.tokens();
  return std::all_of(positions.begin(), positions.end(), [&](std::uint32_t position) {
    const auto token =
        std::lower_bound(tokens.begin(), tokens.end(), position,
                         [](const Token& one, std::uint32_t at) { return one.position < at; });
    return token != tokens.end() && token->position == position && token->parts.size() > 1;
  });
}

// Whether the lines have one of the positions right before the word of the token:
// "lower numbers".
bool Proximity::IsRightBefore(const Positions& positions, std::size_t token) const {
  if (token >= read_.tokens.size() || WeightOf(read_.tokens[token]) == 0) return false;
  if (read_.tokens[token].clause != read_.tokens[token - 1].clause) return false;
  const WordGround& ground = read_.grounds[token];
  if (ground.ground < Ground::kForm) return false;
  return std::any_of(positions.begin(), positions.end(), [&](std::uint32_t at) {
    return std::binary_search(ground.positions.begin(), ground.positions.end(), at + 1);
  });
}

// "keys are allowed" where the lines have "keys are disallowed", and "big bit
// order" where they have "little bit order": the words beside it are the same.
// Switches and times are compared by rules of their own.
bool Proximity::IsInSamePlace(std::size_t token, const Positions& opposite) const {
  constexpr std::uint32_t kNear = 2;
  constexpr std::array<std::string_view, 10> kOthers = {"on",     "off",     "enabled", "disabled",
                                                        "enable", "disable", "later",   "earlier",
                                                        "before", "after"};
  if (IsOneOf(read_.tokens[token].lower, kOthers)) return false;
  const auto is_near = [&](std::size_t other, bool is_after) {
    const Positions& places = read_.grounds[other].positions;
    return std::any_of(opposite.begin(), opposite.end(), [&](std::uint32_t at) {
      return std::any_of(places.begin(), places.end(), [&](std::uint32_t place) {
        return is_after ? place > at && place - at <= kNear : place < at && at - place <= kNear;
      });
    });
  };
  std::size_t around = 0;
  std::size_t same = 0;
  for (std::size_t i = token; i-- > 0 && read_.tokens[i].clause == read_.tokens[token].clause;) {
    if (WeightOf(read_.tokens[i]) < 1) continue;
    ++around;
    same += token - i <= kNear && is_near(i, false) ? 1 : 0;
    break;
  }
  for (std::size_t i = token + 1;
       i < read_.tokens.size() && read_.tokens[i].clause == read_.tokens[token].clause; ++i) {
    if (WeightOf(read_.tokens[i]) < 1) continue;
    ++around;
    same += i - token <= kNear && is_near(i, true) ? 1 : 0;
    break;
  }
  return around > 0 && same == around;
}

// "older than 1.18" for "< 1.18", "newer than 1.18" for "> 1.18"
bool Proximity::IsSigned(std::size_t token) const {
  constexpr std::array<std::string_view, 6> kLess = {"older", "earlier", "lower",
                                                     "less",  "fewer",   "smaller"};
  constexpr std::array<std::string_view, 6> kMore = {"newer", "later",  "higher",
                                                     "more",  "larger", "greater"};
  const std::string& lower = read_.tokens[token].lower;
  const bool is_less = IsOneOf(lower, kLess);
  if (!is_less && !IsOneOf(lower, kMore)) return false;
  if (token + 2 >= read_.tokens.size() || read_.tokens[token + 1].lower != "than") return false;
  for (const Quantity& said : read_.numbers) {
    if (read_.TokenAt(said.begin) != token + 2) continue;
    for (const Quantity& there : evidence_.quantities()) {
      if (support::Compare(said, there, evidence_.hints()) != QuantityFit::kSame) continue;
      std::string_view before = evidence_.lines().substr(0, there.begin);
      while (before.ends_with(' ') || before.ends_with('=')) before.remove_suffix(1);
      if (before.ends_with(is_less ? '<' : '>')) return true;
    }
  }
  return false;
}

// "at least 1" for max(1, x), "at most 4" for min(x, 4); "at least n" for ">= n"
bool Proximity::IsBound(std::size_t token) const {
  const std::string& lower = read_.tokens[token].lower;
  if (token == 0 || read_.tokens[token - 1].lower != "at") return false;
  const std::string_view sign = lower == "least" ? ">=" : "<=";
  if (evidence_.lines().find(sign) != std::string_view::npos) return true;
  if (!IsSpan(token)) return false;
  return (lower == "least" && evidence_.HasWord("max")) ||
         (lower == "most" && evidence_.HasWord("min"));
}

// "… after a sync" where the lines have "a sync … before …": the same.
bool Proximity::IsCrossed(std::size_t token, const Positions& opposite) const {
  constexpr std::uint32_t kNear = 6;
  const std::string& lower = read_.tokens[token].lower;
  if (lower != "before" && lower != "after") return false;
  std::size_t full = 0;
  std::size_t crossed = 0;
  for (std::size_t i = token + 1; i < read_.tokens.size(); ++i) {
    if (read_.tokens[i].clause != read_.tokens[token].clause) break;
    if (WeightOf(read_.tokens[i]) < 1) continue;
    ++full;
    const Positions& places = read_.grounds[i].positions;
    crossed += std::any_of(opposite.begin(), opposite.end(),
                           [&](std::uint32_t at) {
                             const auto next = std::lower_bound(places.begin(), places.end(), at);
                             return next != places.begin() && at - *(next - 1) <= kNear;
                           })
                   ? 1
                   : 0;
  }
  return full > 0 && crossed == full;
}

// "B after A" is "A before B": what follows "after" in the statement must follow
// "before" in the lines, too.
bool Proximity::IsOfSameSide(std::size_t token, const Positions& opposite) const {
  constexpr std::size_t kNext = 3;
  constexpr std::uint32_t kNear = 6;
  const std::string& lower = read_.tokens[token].lower;
  if (lower != "before" && lower != "after") return true;
  std::size_t full = 0;
  std::size_t same = 0;
  for (std::size_t i = token + 1; i < read_.tokens.size() && full < kNext; ++i) {
    if (read_.tokens[i].clause != read_.tokens[token].clause) break;
    if (WeightOf(read_.tokens[i]) < 1) continue;
    ++full;
    const Positions& places = read_.grounds[i].positions;
    same += std::any_of(opposite.begin(), opposite.end(),
                        [&](std::uint32_t at) {
                          const auto next = std::upper_bound(places.begin(), places.end(), at);
                          return next != places.end() && *next - at <= kNear;
                        })
                ? 1
                : 0;
  }
  return full == 0 || 2 * same > full;
}

// "… unless it is turned off": the lines have the opposite, of course. "A page or more" is an
// end of a range, and "the period, less the delay" a difference.
bool Proximity::IsException(std::size_t token) const {
  const auto lower = [&](std::size_t at) {
    return at < read_.tokens.size() ? std::string_view(read_.tokens[at].lower) : std::string_view();
  };
  if (token > 0 && lower(token - 1) == "or" && (lower(token) == "more" || lower(token) == "less")) {
    return true;
  }
  if (lower(token) == "less" && (lower(token + 1) == "the" || lower(token + 1) == "its")) {
    return true;
  }
  std::size_t begin = token;
  while (begin > 0 && read_.tokens[begin - 1].clause == read_.tokens[token].clause) --begin;
  return read_.tokens[begin].lower == "unless" || read_.tokens[begin].lower == "until";
}

// Whether the statement has a word of this side, too.
bool Proximity::Says(Pole pole) const {
  const Lexicon& lexicon = Lexicon::Ours();
  return std::any_of(read_.tokens.begin(), read_.tokens.end(), [&](const Token& token) {
    const auto poles = lexicon.PolesOf(token.lower, token.stem);
    return std::find(poles.begin(), poles.end(), pole) != poles.end();
  });
}

// "after 90 days", "two steps later": how long, not in which order.
bool Proximity::IsSpan(std::size_t token) const {
  constexpr std::size_t kTokens = 2;
  return std::any_of(read_.numbers.begin(), read_.numbers.end(), [&](const Quantity& number) {
    const std::optional<std::size_t> at = read_.TokenAt(number.begin);
    if (number.in_name || !at) return false;
    return (*at < token ? token - *at : *at - token) <= kTokens;
  });
}

bool Proximity::IsNegated(std::size_t token) const {
  return std::any_of(read_.tokens.begin(), read_.tokens.end(), [&](const Token& other) {
    return other.is_negation && other.clause == read_.tokens[token].clause;
  });
}

void Proximity::CompareNumbers(BetterFits& fits) const {
  for (const Quantity& said : read_.numbers) {
    const std::optional<std::size_t> token = read_.TokenAt(said.begin);
    if (said.in_name || !token) continue;
    const Positions positions = evidence_.PositionsOf(said);
    const std::vector<Neighbour> near = NeighboursOf(*token);
    if (positions.empty() || near.size() < 2) continue;
    fits.other_number = std::max(fits.other_number, BestNumberAt(*token) - Fit(positions, near));
  }
}

}  // namespace sibyl::support
