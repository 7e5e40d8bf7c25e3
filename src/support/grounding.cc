// SPDX-License-Identifier: Apache-2.0
#include "support/grounding.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "base/ascii.h"
#include "base/strings.h"
#include "passages/cards.h"
#include "support/values.h"

namespace sibyl::support {
namespace {

using Positions = std::vector<std::uint32_t>;

double WeightOf(const Token& token) {
  if (token.is_negation) return 0;
  if (token.kind == TokenKind::kNumber) return 0;  // compared as quantities
  switch (token.weight) {
    case WordWeight::kNone:
      return token.in_code ? 0.5 : 0;
    case WordWeight::kLight:
      return 0.3;
    case WordWeight::kFull:
      return token.kind == TokenKind::kName ? 1.5 : 1;
  }
  return 0;
}

double WorthOf(Ground ground) {
  switch (ground) {
    case Ground::kNone:
      return 0;
    case Ground::kContext:
      return 0.8;
    case Ground::kShortened:
      return 0.7;
    case Ground::kSynonym:
      return 0.85;
    case Ground::kForm:
    case Ground::kWord:
      return 1;
  }
  return 0;
}

// How near the two occur to each other at best: 1 side by side, 0 far away.
double Affinity(const Positions& a, const Positions& b) {
  constexpr double kReach = 8;
  if (a.empty() || b.empty()) return 0;
  std::uint32_t least = UINT32_MAX;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    least = std::min(least, a[i] < b[j] ? b[j] - a[i] : a[i] - b[j]);
    (a[i] < b[j] ? i : j) += 1;
  }
  return 1 / (1 + least / kReach);
}

// Claims that leave no exception; weaker ones ("any", "only", "each") often
// only restate the lines.
bool IsAbsolute(std::string_view lower) {
  constexpr std::array<std::string_view, 12> kWords = {
      "always", "never",     "every",   "all",        "guaranteed", "guarantees",
      "must",   "guarantee", "exactly", "regardless", "whatever",   "invariably"};
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

class StatementJudge {
 public:
  StatementJudge(const statement::Statement& statement, const PreparedLines& lines,
                 Tokenizer& tokenizer)
      : statement_(statement),
        evidence_(lines.evidence),
        context_numbers_(lines.context_numbers),
        cards_(lines.cards),
        tokenizer_(tokenizer) {
    std::vector<bool> is_code(statement.text.size());
    for (const statement::TextRun& run : statement.runs) {
      if (run.is_code) {
        std::fill(is_code.begin() + static_cast<std::ptrdiff_t>(run.begin),
                  is_code.begin() + static_cast<std::ptrdiff_t>(run.end), true);
      }
    }
    tokens_ = tokenizer.OfStatement(statement.text, is_code);
    for (const Token& token : tokens_) grounds_.push_back(evidence_.Find(token));
  }

  Grounding Take() {
    Words();
    Numbers();
    Measures& m = result_.measures;
    m.coverage = m.words > 0 ? m.found / m.words : 0;
    Values();
    Opposites();
    Swaps();
    Universals();
    Decide();
    return std::move(result_);
  }

 private:
  void Words() {
    Measures& m = result_.measures;
    std::map<std::uint32_t, std::pair<double, double>> clauses;  // found, all
    std::set<std::string> strong;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const double weight = WeightOf(tokens_[i]);
      if (weight == 0) continue;
      const double worth = weight * WorthOf(grounds_[i].ground);
      m.words += weight;
      m.found += worth;
      auto& clause = clauses[tokens_[i].clause];
      clause.first += worth;
      clause.second += weight;
      if (weight >= 1 && grounds_[i].ground > Ground::kShortened) strong.insert(tokens_[i].stem);
      const bool is_name = tokens_[i].in_code && tokens_[i].weight != WordWeight::kNone;
      if (is_name && grounds_[i].ground == Ground::kNone) {
        m.names_missing += 1;
        missing_names_.push_back(tokens_[i].lower);
      }
      result_.words.push_back(
          {.text = statement_.text.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin),
           .ground = grounds_[i].ground,
           .by = grounds_[i].by});
    }
    m.strong_found = static_cast<double>(strong.size());
    constexpr double kTelling = 2.5;
    for (const auto& [number, clause] : clauses) {
      if (clause.second >= kTelling) {
        m.least_clause = std::min(m.least_clause, clause.first / clause.second);
      }
    }
  }

  void Numbers() {
    said_ = ReadQuantities(statement_.text, false);
    for (const Quantity& said : said_) {
      if (said.in_name && !IsInDigitName(said)) continue;
      const QuantityMatch match = Match(said, evidence_.quantities(), evidence_.hints());
      const double weight = said.is_word ? 1 : 1.5;
      result_.measures.words += weight;
      const std::string text = statement_.text.substr(said.begin, said.end - said.begin);
      if (match.fit == QuantityFit::kSame) {
        result_.measures.found += weight;
        result_.measures.strong_found += 1;
        continue;
      }
      const bool in_context =
          Match(said, context_numbers_, evidence_.hints()).fit == QuantityFit::kSame;
      if (IsCalculated(said) || (in_context && IsLineNumber(said))) {
        result_.measures.found += weight;
        continue;
      }
      const std::optional<Rival> rival = RivalOf(said);
      if (rival) {
        result_.measures.missing_fit = std::max(result_.measures.missing_fit, rival->fit);
        if (said.is_word) result_.measures.missing_word = rival->fit;
      }
      const bool is_soft =
          said.is_word || said.in_name || in_context || match.fit == QuantityFit::kDoubtful;
      // "three warps" where the lines say "8 warps".
      const bool is_same_noun =
          said.is_word && rival && rival->fit > kSureRival && !SaidInstead(said).empty();
      if (is_soft && !is_same_noun) {
        result_.measures.numbers_doubtful += 1;
        result_.doubts.push_back(fmt::format("{} is not in the cited lines as such", text));
        continue;
      }
      result_.measures.numbers_missing += 1;
      missing_numbers_.push_back(text);
      if (missing_numbers_.size() == 1) said_instead_ = SaidInstead(said);
    }
  }

  // The only number of the lines that measures or counts the same; empty if
  // there is none, or more than one.
  std::string SaidInstead(const Quantity& said) const {
    const Quantity* only = nullptr;
    const std::string noun = said.noun.empty() ? "" : StemOf(said.noun);
    for (const Quantity& quantity : evidence_.quantities()) {
      const bool is_same_unit =
          said.dimension != statement::Dimension::kNone && quantity.dimension == said.dimension;
      const bool is_same_noun = said.dimension == statement::Dimension::kNone && !noun.empty() &&
                                quantity.dimension == said.dimension && !quantity.noun.empty() &&
                                StemOf(quantity.noun) == noun;
      if (!is_same_unit && !is_same_noun) continue;
      if (only != nullptr && only->value != quantity.value) return {};
      only = &quantity;
    }
    if (only == nullptr) return {};
    return std::string(Trim(evidence_.lines().substr(only->begin, only->end - only->begin)));
  }

  // "line 12", "lines 12-20", "12-20": where it is, not what it says.
  bool IsLineNumber(const Quantity& said) const {
    const std::optional<std::size_t> token = TokenAt(said.begin);
    if (token && *token > 0 &&
        (tokens_[*token - 1].lower == "line" || tokens_[*token - 1].lower == "lines")) {
      return true;
    }
    const std::string_view text = statement_.text;
    const bool ends_range =
        said.begin > 1 && text[said.begin - 1] == '-' && IsDigit(text[said.begin - 2]);
    const bool begins_range =
        said.end + 1 < text.size() && text[said.end] == '-' && IsDigit(text[said.end + 1]);
    return ends_range || begins_range;
  }

  std::string StemOf(std::string_view word) const { return tokenizer_.stems().Of(word); }

  // A sum or product of numbers that the statement itself gives.
  bool IsCalculated(const Quantity& said) const {
    for (const Quantity& a : said_) {
      for (const Quantity& b : said_) {
        if (&a == &said || &b == &said || &a == &b || a.in_name || b.in_name) continue;
        const double value = said.value;
        const auto is = [value](double other) { return std::abs(value - other) <= 1e-9 * value; };
        if (value > 0 &&
            (is(a.value * b.value) || is(a.value + b.value) || is(a.value - b.value))) {
          return true;
        }
      }
    }
    return false;
  }

  struct Rival {
    const Quantity* quantity = nullptr;
    double fit = 0;
  };

  // The number of the lines that stands where the statement has this one.
  std::optional<Rival> RivalOf(const Quantity& said) const {
    const std::optional<std::size_t> token = TokenAt(said.begin);
    if (!token) return std::nullopt;
    const std::vector<Neighbour> near = Neighbours(*token);
    Rival best;
    for (const Quantity& quantity : evidence_.quantities()) {
      if (quantity.in_name || quantity.is_derived) continue;
      const double fit = Fit({evidence_.PositionAt(quantity.begin)}, near);
      if (fit > best.fit) best = {.quantity = &quantity, .fit = fit};
    }
    if (best.quantity == nullptr) return std::nullopt;
    return best;
  }

  std::optional<std::size_t> TokenAt(std::size_t byte) const {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].begin <= byte && byte < tokens_[i].end) return i;
    }
    return std::nullopt;
  }

  // "C++17", "gfx11", "sm_90" in prose: the digits are a claim unless the whole
  // name is in the lines.
  bool IsInDigitName(const Quantity& said) const {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].begin <= said.begin && said.end <= tokens_[i].end) {
        return grounds_[i].ground < Ground::kSynonym;
      }
    }
    return false;
  }

  void Values() {
    for (const ValueFinding& finding :
         JudgeValues({statement_.text, tokens_, said_}, cards_, evidence_.hints(), tokenizer_)) {
      if (finding.is_sure) {
        result_.measures.values_wrong += 1;
        wrong_value_ = finding.message;
        result_.nearest = finding.nearest;
      } else {
        result_.measures.values_doubtful += 1;
        result_.doubts.push_back(finding.message);
      }
    }
  }

  struct Neighbour {
    std::size_t token = 0;
    double weight = 1;
  };

  // The full words in the clause of a token; the nearer, the more they count.
  std::vector<Neighbour> Neighbours(std::size_t token) const {
    constexpr double kReach = 3;
    std::vector<Neighbour> near;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (i == token || tokens_[i].clause != tokens_[token].clause) continue;
      if (WeightOf(tokens_[i]) < 0.3 || grounds_[i].positions.empty()) continue;
      const double distance = static_cast<double>(i < token ? token - i : i - token);
      near.push_back({.token = i, .weight = WeightOf(tokens_[i]) / (1 + distance / kReach)});
    }
    return near;
  }

  double Fit(const Positions& positions, const std::vector<Neighbour>& near) const {
    double sum = 0;
    double all = 0;
    for (const Neighbour& other : near) {
      sum += other.weight * Affinity(positions, grounds_[other.token].positions);
      all += other.weight;
    }
    return all > 0 ? sum / all : 0;
  }

  void Opposites() {
    const Lexicon& lexicon = Lexicon::Ours();
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].in_code) continue;
      for (const Pole pole : lexicon.PolesOf(tokens_[i].lower, tokens_[i].stem)) {
        const Pole other = {.axis = pole.axis, .is_left = !pole.is_left};
        const Positions& same = evidence_.PositionsOf(pole);
        const Positions& opposite = evidence_.PositionsOf(other);
        if (opposite.empty() || Says(other) || IsNegated(i)) continue;
        const std::vector<Neighbour> near = Neighbours(i);
        const double gain = Fit(opposite, near) - Fit(same, near);
        if (same.empty() && grounds_[i].ground == Ground::kNone) {
          if (evidence_.IsNegatedAt(opposite)) continue;
          if (gain > result_.measures.opposed) {
            result_.measures.opposed = gain;
          }
          result_.doubts.push_back(
              fmt::format("the lines have the opposite of '{}'", tokens_[i].lower));
        } else if (!same.empty()) {
          result_.measures.pole_gain = std::max(result_.measures.pole_gain, gain);
        }
      }
    }
  }

  // Whether the statement has a word of this side, too.
  bool Says(Pole pole) const {
    const Lexicon& lexicon = Lexicon::Ours();
    return std::any_of(tokens_.begin(), tokens_.end(), [&](const Token& token) {
      const auto poles = lexicon.PolesOf(token.lower, token.stem);
      return std::find(poles.begin(), poles.end(), pole) != poles.end();
    });
  }

  bool IsNegated(std::size_t token) const {
    return std::any_of(tokens_.begin(), tokens_.end(), [&](const Token& other) {
      return other.is_negation && other.clause == tokens_[token].clause;
    });
  }

  struct Anchor {
    std::size_t token = 0;
    Positions positions;
    bool is_number = false;
  };

  // Names and numbers that could stand for each other.
  std::vector<Anchor> Anchors() const {
    std::vector<Anchor> anchors;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind == TokenKind::kName || tokens_[i].in_code) {
        if (!grounds_[i].positions.empty() && WeightOf(tokens_[i]) >= 1) {
          anchors.push_back({.token = i, .positions = grounds_[i].positions});
        }
      }
    }
    for (const Quantity& said : said_) {
      if (said.in_name) continue;
      Positions positions;
      for (const Quantity& quantity : evidence_.quantities()) {
        if (Compare(said, quantity, evidence_.hints()) == QuantityFit::kSame) {
          positions.push_back(evidence_.PositionAt(quantity.begin));
        }
      }
      std::sort(positions.begin(), positions.end());
      for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (tokens_[i].begin <= said.begin && said.begin < tokens_[i].end && !positions.empty()) {
          anchors.push_back({.token = i, .positions = positions, .is_number = true});
        }
      }
    }
    return anchors;
  }

  // A number of the lines that fits where the statement has another of them.
  void Rivals(const std::vector<Anchor>& anchors) {
    for (const Anchor& anchor : anchors) {
      if (!anchor.is_number) continue;
      const std::vector<Neighbour> near = Neighbours(anchor.token);
      if (near.size() < 2) continue;
      const double now = Fit(anchor.positions, near);
      for (const Quantity& quantity : evidence_.quantities()) {
        if (quantity.in_name || quantity.is_derived) continue;
        const double other = Fit({evidence_.PositionAt(quantity.begin)}, near);
        result_.measures.rival_gain = std::max(result_.measures.rival_gain, other - now);
      }
    }
  }

  void Swaps() {
    constexpr std::size_t kMost = 12;
    std::vector<Anchor> anchors = Anchors();
    Rivals(anchors);
    if (anchors.size() > kMost) anchors.resize(kMost);
    for (std::size_t i = 0; i < anchors.size(); ++i) {
      for (std::size_t j = i + 1; j < anchors.size(); ++j) {
        const Anchor& a = anchors[i];
        const Anchor& b = anchors[j];
        if (a.is_number != b.is_number || a.positions == b.positions) continue;
        if (tokens_[a.token].clause == tokens_[b.token].clause) continue;
        const auto near_a = Neighbours(a.token);
        const auto near_b = Neighbours(b.token);
        const double now = Fit(a.positions, near_a) + Fit(b.positions, near_b);
        const double swapped = Fit(b.positions, near_a) + Fit(a.positions, near_b);
        result_.measures.swap_gain = std::max(result_.measures.swap_gain, swapped - now);
      }
    }
  }

  // "always" where the lines say "usually" or "if".
  void Universals() {
    const Lexicon& lexicon = Lexicon::Ours();
    const auto says = [&](Strength strength) {
      return std::any_of(tokens_.begin(), tokens_.end(), [&](const Token& token) {
        return !token.in_code && lexicon.StrengthOf(token.lower) == strength;
      });
    };
    const bool hedge_lost = evidence_.Hedges() && !says(Strength::kHedge);
    const bool condition_lost = evidence_.HasCondition() && !says(Strength::kCondition);
    for (const Token& token : tokens_) {
      if (token.in_code || lexicon.StrengthOf(token.lower) != Strength::kUniversal) continue;
      if (!IsAbsolute(token.lower) && token.lower != "any" && token.lower != "only") continue;
      const bool is_said =
          std::any_of(evidence_.tokens().begin(), evidence_.tokens().end(),
                      [&](const Token& other) { return other.lower == token.lower; });
      if (is_said) continue;
      result_.measures.universal += 1;
      const bool is_soft = token.lower == "every" || token.lower == "never";
      if (IsAbsolute(token.lower) && (hedge_lost || (condition_lost && !is_soft))) {
        overclaim_ = token.lower;
      } else {
        result_.doubts.push_back(fmt::format("the lines do not say '{}'", token.lower));
      }
    }
    const bool has_negation =
        std::any_of(tokens_.begin(), tokens_.end(), [](const Token& t) { return t.is_negation; });
    result_.measures.negation = has_negation && !evidence_.HasNegation()   ? 1
                                : !has_negation && evidence_.HasNegation() ? -1
                                                                           : 0;
  }

  void Decide() {
    const Measures& m = result_.measures;
    using statement::Verdict;
    if (m.values_wrong > 0) {
      Set(Verdict::kContradicted, "support/contradicted", wrong_value_);
    } else if (m.numbers_missing > 0 && !said_instead_.empty()) {
      Set(Verdict::kContradicted, "number/ungrounded",
          fmt::format("the text says {}, the cited lines say {}", missing_numbers_.front(),
                      said_instead_));
      result_.text = missing_numbers_.front();
      result_.nearest = said_instead_;
    } else if (m.numbers_missing > 0) {
      Set(Verdict::kAbsent, "number/ungrounded",
          fmt::format("{} is not in the cited lines", missing_numbers_.front()));
      result_.text = missing_numbers_.front();
    } else if (m.names_missing > 0) {
      Set(Verdict::kAbsent, "ident/unknown",
          fmt::format("{} is not in the cited lines", missing_names_.front()));
      result_.text = missing_names_.front();
    } else if (m.coverage < kTooLittle || (m.strong_found < 2 && m.coverage < kLittle)) {
      Set(Verdict::kAbsent, "support/ungrounded", "the cited lines are about something else");
    } else if (!overclaim_.empty()) {
      Set(Verdict::kAbsent, "support/ungrounded",
          fmt::format("the cited lines give a condition or a possibility; they do not say '{}'",
                      overclaim_));
    } else if (tokens_.size() >= kMostWords) {
      Set(Verdict::kUndecidable, "support/undecided", "not decided: it is too long to compare");
    } else if (m.coverage >= kEnough && m.least_clause >= kEnoughOfClause &&
               result_.doubts.empty() && m.swap_gain < kMostSwapGain &&
               m.rival_gain < kMostRivalGain && m.pole_gain < kMostPoleGain) {
      Set(Verdict::kSupported, "support/grounded", "the cited lines carry it");
    } else {
      Set(Verdict::kUndecidable, "support/undecided", Doubt());
    }
  }

  void Set(statement::Verdict verdict, std::string_view code, std::string message) {
    result_.verdict = verdict;
    result_.code = code;
    result_.message = std::move(message);
  }

  std::string Doubt() const {
    const Measures& m = result_.measures;
    if (!result_.doubts.empty()) return "not decided: " + result_.doubts.front();
    if (m.swap_gain >= kMostSwapGain) {
      return "not decided: the lines may connect its names in another way";
    }
    if (m.rival_gain >= kMostRivalGain) {
      return "not decided: another number of the lines fits as well";
    }
    if (m.pole_gain >= kMostPoleGain) return "not decided: the lines may say the opposite";
    return "not decided: the lines do not have all that it says";
  }

  static constexpr double kMostSwapGain = 0.15;
  static constexpr double kMostRivalGain = 0.2;
  static constexpr double kMostPoleGain = 0.1;
  static constexpr double kSureRival = 0.5;
  static constexpr double kLittle = 0.45;
  static constexpr double kTooLittle = 0.35;
  static constexpr double kEnough = 0.55;
  static constexpr double kEnoughOfClause = 0.3;

  const statement::Statement& statement_;
  const EvidenceText& evidence_;
  std::vector<Token> tokens_;
  std::vector<WordGround> grounds_;
  std::vector<Quantity> said_;
  std::vector<std::string> missing_names_;
  std::vector<std::string> missing_numbers_;
  std::string said_instead_;
  std::string wrong_value_;
  std::string overclaim_;
  const std::vector<Quantity>& context_numbers_;
  const std::vector<passages::Card>& cards_;
  Tokenizer& tokenizer_;
  Grounding result_;
};

}  // namespace

PreparedLines Grounder::Prepare(const CitedLines& lines) {
  return {.evidence = EvidenceText(lines.text, lines.context, tokenizer_),
          .context_numbers = ReadQuantities(lines.context, true),
          .cards = passages::ReadCards(lines.text)};
}

Grounding Grounder::Judge(const statement::Statement& statement, const PreparedLines& lines) {
  return StatementJudge(statement, lines, tokenizer_).Take();
}

std::string ExplainWords(const Grounding& grounding) {
  std::vector<std::string> words;
  for (const GroundedWord& word : grounding.words) {
    const bool is_other = word.ground == Ground::kSynonym || word.ground == Ground::kShortened;
    words.push_back(is_other
                        ? fmt::format("{} ({}: {})", word.text, GroundName(word.ground), word.by)
                        : fmt::format("{} ({})", word.text, GroundName(word.ground)));
  }
  return Join(words, ", ");
}

}  // namespace sibyl::support
