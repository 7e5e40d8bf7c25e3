// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/exchanged.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/one_of.h"

namespace sibyl::support {
namespace {

using Positions = std::vector<std::uint32_t>;

// A name or number that another could replace.
struct Anchor {
  std::size_t token = 0;
  std::size_t rank = 0;  // among those of its clause
  bool is_number = false;
};

bool StartsSubordinate(std::string_view lower) {
  constexpr std::array<std::string_view, 17> kWords = {
      "unless",  "because", "if",    "when",     "since",     "until",
      "so",      "which",   "where", "then",     "otherwise", "however",
      "whether", "before",  "after", "whenever", "although"};
  return IsOneOf(lower, kWords);
}

class ExchangeFinder {
 public:
  ExchangeFinder(const ReadStatement& read, const EvidenceText& evidence)
      : read_(read), evidence_(evidence), positions_(read.tokens.size()) {
    for (std::size_t i = 0; i < read.tokens.size(); ++i) {
      const Positions& exact = evidence.PositionsOfWord(read.tokens[i].lower);
      positions_[i] = exact.empty() ? read.grounds[i].positions : exact;
    }
    ReadNumbers();
    ReadAnchors();
  }

  std::optional<Exchange> Find() const {
    for (std::size_t i = 0; i < anchors_.size(); ++i) {
      for (std::size_t j = i + 1; j < anchors_.size(); ++j) {
        if (!AreParallel(anchors_[i], anchors_[j])) continue;
        const std::size_t a = anchors_[i].token;
        const std::size_t b = anchors_[j].token;
        const std::optional<std::size_t> first = VoteOf(a, b);
        const std::optional<std::size_t> second = first ? VoteOf(b, a) : std::nullopt;
        if (!first || !second || *first == 0 || *second == 0) continue;
        return Exchange{.first = a, .second = b};
      }
    }
    return FindOpposites();
  }

 private:
  // "A is local and B remote" where the lines have it the other way round.
  std::optional<Exchange> FindOpposites() const {
    const Lexicon& lexicon = Lexicon::Ours();
    for (std::size_t i = 0; i < read_.tokens.size(); ++i) {
      if (read_.tokens[i].in_code || positions_[i].empty()) continue;
      for (const Pole pole : lexicon.PolesOf(read_.tokens[i].lower, read_.tokens[i].stem)) {
        for (std::size_t j = i + 1; j < read_.tokens.size(); ++j) {
          const Token& other = read_.tokens[j];
          if (other.in_code || positions_[j].empty() || other.clause == read_.tokens[i].clause)
            continue;
          const auto poles = lexicon.PolesOf(other.lower, other.stem);
          if (std::find(poles.begin(), poles.end(),
                        Pole{.axis = pole.axis, .is_left = !pole.is_left}) == poles.end()) {
            continue;
          }
          const std::optional<std::size_t> first = VoteOf(i, j);
          const std::optional<std::size_t> second = first ? VoteOf(j, i) : std::nullopt;
          if (!first || !second || *first == 0 || *second == 0) continue;
          return Exchange{.first = i, .second = j};
        }
      }
    }
    return std::nullopt;
  }

  void ReadNumbers() {
    for (const Quantity& said : read_.numbers) {
      const std::optional<std::size_t> token = read_.TokenAt(said.begin);
      if (said.in_name || !token) continue;
      positions_[*token] = evidence_.PositionsOf(said);
      numbers_.push_back(*token);
      said_.emplace(*token, &said);
    }
  }

  void ReadAnchors() {
    constexpr std::size_t kMost = 12;
    std::map<std::pair<std::uint32_t, bool>, std::size_t> ranks;
    bool is_parallel = true;
    const std::vector<bool> fixed = TokensOfLiterals(read_, evidence_);
    for (std::size_t i = 0; i < read_.tokens.size() && anchors_.size() < kMost; ++i) {
      const Token& token = read_.tokens[i];
      if (i == 0 || token.clause != read_.tokens[i - 1].clause) {
        is_parallel = !StartsSubordinate(token.lower);
      }
      const bool is_number = IsNumber(i);
      const bool is_name = (token.in_code && WeightOf(token) > 0) ||
                           (token.kind == TokenKind::kName && WeightOf(token) >= 1);
      if ((!is_name && !is_number) || positions_[i].empty() || fixed[i]) continue;
      const std::size_t rank = ranks[{token.clause, is_number}]++;
      if (is_parallel) anchors_.push_back({.token = i, .rank = rank, .is_number = is_number});
    }
  }

  bool IsNumber(std::size_t token) const {
    return std::find(numbers_.begin(), numbers_.end(), token) != numbers_.end();
  }

  // In the same role of two clauses.
  bool AreParallel(const Anchor& a, const Anchor& b) const {
    const Token& one = read_.tokens[a.token];
    const Token& other = read_.tokens[b.token];
    if (a.is_number != b.is_number || a.rank != b.rank) return false;
    if (!a.is_number && one.in_code != other.in_code) return false;
    if (one.clause == other.clause || one.stem == other.stem) return false;
    if (AreJoined(a.token, b.token) || AreListed(read_, a.token, b.token)) return false;
    if (a.is_number && !AreOfOneUnit(*said_.at(a.token), *said_.at(b.token))) return false;
    Positions both;
    std::set_intersection(positions_[a.token].begin(), positions_[a.token].end(),
                          positions_[b.token].begin(), positions_[b.token].end(),
                          std::back_inserter(both));
    return both.empty();
  }

  // "both A and B", "A of both B and C": they share what is said.
  bool AreJoined(std::size_t a, std::size_t b) const {
    constexpr std::size_t kBefore = 3;
    for (std::size_t i = a - std::min(a, kBefore); i < b; ++i) {
      if (read_.tokens[i].lower == "both") return true;
    }
    return false;
  }

  // How many words of the clause of `own` are nearer to `other`; nothing if one
  // is nearer to its own.
  std::optional<std::size_t> VoteOf(std::size_t own, std::size_t other) const {
    constexpr double kMargin = 1.5;
    constexpr double kNear = 25;
    std::size_t nearer = 0;
    for (std::size_t i = 0; i < read_.tokens.size(); ++i) {
      if (i == own || read_.tokens[i].clause != read_.tokens[own].clause || !Counts(i, other)) {
        continue;
      }
      const Positions words = Without(positions_[i], positions_[own], positions_[other]);
      if (words.empty()) continue;
      const double to_own = evidence_.layout().Distance(positions_[own], words);
      const double to_other = evidence_.layout().Distance(positions_[other], words);
      if (to_other * kMargin <= to_own && to_other <= kNear) {
        ++nearer;
      } else if (to_own * kMargin < to_other) {
        return std::nullopt;
      }
    }
    return nearer;
  }

  // Whether a word tells its clause from that of the other name.
  bool Counts(std::size_t i, std::size_t other) const {
    constexpr double kLeastWeight = 0.5;
    const Token& token = read_.tokens[i];
    if (WeightOf(token) < kLeastWeight && !IsNumber(i)) return false;
    if (read_.grounds[i].ground == Ground::kShortened) return false;
    return std::none_of(read_.tokens.begin(), read_.tokens.end(), [&](const Token& t) {
      return t.clause == read_.tokens[other].clause && t.stem == token.stem &&
             &t != &read_.tokens[other];
    });
  }

  static Positions Without(const Positions& all, const Positions& a, const Positions& b) {
    Positions rest;
    std::copy_if(all.begin(), all.end(), std::back_inserter(rest), [&](std::uint32_t position) {
      return !std::binary_search(a.begin(), a.end(), position) &&
             !std::binary_search(b.begin(), b.end(), position);
    });
    return rest;
  }

  const ReadStatement& read_;
  const EvidenceText& evidence_;
  std::vector<Positions> positions_;  // of each token in the lines, exactly where possible
  std::vector<std::size_t> numbers_;  // tokens
  std::map<std::size_t, const Quantity*> said_;  // by token
  std::vector<Anchor> anchors_;
};

}  // namespace

std::optional<Exchange> FindExchange(const ReadStatement& read, const EvidenceText& evidence) {
  return ExchangeFinder(read, evidence).Find();
}

}  // namespace sibyl::support
