// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/parallels.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "base/ascii.h"
#include "support/lexicon.h"

namespace sibyl::support {
namespace {

// Chosen on sets a to l (decision 0106): how fast nearness fades in the lines
// and in the statement, in words; a clause counts as so many words; and what
// the order of the two adds to it.
constexpr double kFadeInLines = 8;
constexpr double kFadeInStatement = 6;
constexpr double kClauseInWords = 6;
constexpr double kOrder = 0.06;
// Support below this is a doubt.
constexpr double kLeast = -0.02;

class ParallelFinder {
 public:
  ParallelFinder(const ReadStatement& read, const EvidenceText& evidence)
      : read_(read), evidence_(evidence), positions_(read.tokens.size()) {
    for (std::size_t i = 0; i < read.tokens.size(); ++i) {
      const Positions& exact = evidence.PositionsOfWord(read.tokens[i].lower);
      positions_[i] = exact.empty() ? read.grounds[i].positions : exact;
    }
    is_number_.resize(read.tokens.size());
    for (const Quantity& said : read.numbers) {
      const std::optional<std::size_t> token = read_.TokenAt(said.begin);
      if (said.in_name || !token) continue;
      positions_[*token] = evidence.PositionsOf(said);
      is_number_[*token] = true;
      numbers_.emplace(*token, &said);
    }
    ReadMembers();
  }

  std::optional<Interchangeable> Find() {
    std::optional<Interchangeable> found;
    double least = kLeast;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      for (std::size_t j = i + 1; j < members_.size(); ++j) {
        if (!AreOfOneKind(members_[i].token, members_[j].token)) continue;
        Measure(members_[i]);
        Measure(members_[j]);
        const double support = SupportOf(members_[i], members_[j]);
        if (support >= least) continue;
        least = support;
        found = {.first = members_[i].token, .second = members_[j].token};
      }
    }
    return found;
  }

 private:
  using Positions = std::vector<std::uint32_t>;

  struct Member {
    std::size_t token = 0;
    std::vector<double> nearness = {};  // of each word of the statement, in the lines
  };

  bool IsName(std::size_t i) const {
    const Token& token = read_.tokens[i];
    return (token.in_code || token.kind == TokenKind::kName) && WeightOf(token) >= 1;
  }

  std::span<const Pole> PolesAt(std::size_t i) const {
    return Lexicon::Ours().PolesOf(read_.tokens[i].lower, read_.tokens[i].stem);
  }

  double WeightAt(std::size_t i) const { return is_number_[i] ? 1 : WeightOf(read_.tokens[i]); }

  void ReadMembers() {
    constexpr std::size_t kMost = 16;
    const std::vector<bool> fixed = TokensOfLiterals(read_, evidence_);
    for (std::size_t i = 0; i < read_.tokens.size() && members_.size() < kMost; ++i) {
      if (positions_[i].empty() || fixed[i]) continue;
      if (is_number_[i] || IsName(i) || !PolesAt(i).empty()) members_.push_back({.token = i});
    }
  }

  void Measure(Member& member) const {
    constexpr double kLeastWeight = 0.3;
    if (!member.nearness.empty()) return;
    member.nearness.resize(read_.tokens.size(), -1);
    for (std::size_t w = 0; w < read_.tokens.size(); ++w) {
      if (positions_[w].empty() || WeightAt(w) < kLeastWeight) continue;
      const double distance = evidence_.layout().Distance(positions_[member.token], positions_[w]);
      member.nearness[w] = 1 / (1 + distance / kFadeInLines);
    }
  }

  bool AreOfOneKind(std::size_t a, std::size_t b) const {
    const Token& one = read_.tokens[a];
    const Token& other = read_.tokens[b];
    if (positions_[a] == positions_[b]) return false;
    for (const Pole pole : PolesAt(a)) {
      for (const Pole opposite : PolesAt(b)) {
        if (pole.axis == opposite.axis && pole.is_left != opposite.is_left) return true;
      }
    }
    if (one.stem == other.stem || is_number_[a] != is_number_[b]) return false;
    if (AreListed(read_, a, b)) return false;
    if (is_number_[a]) return AreOfOneUnit(*numbers_.at(a), *numbers_.at(b));
    return IsName(a) && IsName(b) && one.clause != other.clause && one.in_code == other.in_code &&
           AreWrittenAlike(one, other);
  }

  // FIRST_ONE and SECOND_ONE, firstOne and secondOne.
  bool AreWrittenAlike(const Token& one, const Token& other) const {
    const auto is_upper = [&](const Token& token, std::size_t most) {
      const std::string_view word =
          std::string_view(read_.statement.text)
              .substr(token.begin, std::min(token.end - token.begin, most));
      return std::none_of(word.begin(), word.end(), IsLower) &&
             std::any_of(word.begin(), word.end(), IsUpper);
    };
    return is_upper(one, 1) == is_upper(other, 1) &&
           is_upper(one, std::string::npos) == is_upper(other, std::string::npos);
  }

  double NearnessInStatement(std::size_t a, std::size_t b) const {
    const std::uint32_t from = read_.tokens[std::min(a, b)].clause;
    const std::uint32_t to = read_.tokens[std::max(a, b)].clause;
    const double words = static_cast<double>(std::max(a, b) - std::min(a, b)) +
                         kClauseInWords * static_cast<double>(to - from);
    return 1 / (1 + words / kFadeInStatement);
  }

  // Above zero: words that are nearer to `a` than to `b` in the statement are so
  // in the lines, too. Below: exchanged, the two would fit better.
  double SupportOf(const Member& a, const Member& b) const {
    const Positions& of_a = positions_[a.token];
    const Positions& of_b = positions_[b.token];
    double sum = 0;
    for (std::size_t w = 0; w < read_.tokens.size(); ++w) {
      if (w == a.token || w == b.token || a.nearness[w] < 0) continue;
      if (positions_[w] == of_a || positions_[w] == of_b) continue;
      const std::string& stem = read_.tokens[w].stem;
      if (stem == read_.tokens[a.token].stem || stem == read_.tokens[b.token].stem) continue;
      sum += WeightAt(w) * (NearnessInStatement(a.token, w) - NearnessInStatement(b.token, w)) *
             (a.nearness[w] - b.nearness[w]);
    }
    const double order = of_a[0] < of_b[0] ? kOrder : of_a[0] > of_b[0] ? -kOrder : 0;
    return sum + order;
  }

  const ReadStatement& read_;
  const EvidenceText& evidence_;
  std::vector<Positions> positions_;  // of each token in the lines, exactly where possible
  std::vector<bool> is_number_;
  std::map<std::size_t, const Quantity*> numbers_;  // by token
  std::vector<Member> members_;
};

}  // namespace

std::optional<Interchangeable> FindInterchangeable(const ReadStatement& read,
                                                   const EvidenceText& evidence) {
  return ParallelFinder(read, evidence).Find();
}

}  // namespace sibyl::support
