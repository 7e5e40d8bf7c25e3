// SPDX-License-Identifier: Apache-2.0
#include "evidence/instruction_rules.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "evidence/instruction_rule_table.h"

namespace sibyl::evidence {
namespace {

constexpr int kLimit = 10;
constexpr std::uint32_t kWindow = 45;  // words

struct Match {
  std::uint32_t token;
  std::uint8_t trait;
  std::int8_t points;
};

class Scorer {
 public:
  explicit Scorer(const Tokens& tokens) : tokens_(tokens.all), roles_(tokens.roles) {}

  // The lines of all words that count where the limit is reached.
  std::vector<std::size_t> Find(int bonus) {
    for (const Rule& rule : InstructionRules()) Apply(rule);
    std::sort(matches_.begin(), matches_.end(),
              [](const Match& a, const Match& b) { return a.token < b.token; });
    std::vector<std::size_t> lines;
    std::size_t end = 0;  // of the matches whose lines are known already
    for (std::size_t i = 0; i < matches_.size(); ++i) {
      if (ScoreFrom(i) + bonus < kLimit) continue;
      for (end = std::max(end, i); end < matches_.size() && IsInWindow(i, end); ++end) {
        lines.push_back(tokens_[matches_[end].token].line);
      }
    }
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    return lines;
  }

 private:
  bool Has(std::size_t at, Roles roles) const { return (tokens_[at].roles & roles) != 0; }

  void Apply(const Rule& rule) {
    for (const Roles part : rule.parts) {
      if (part != 0 && (roles_ & part) == 0) return;
    }
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      if (!Has(at, rule.parts[0])) continue;
      if ((tokens_[at].roles & rule.also) != rule.also) continue;
      const int points = tokens_[at].is_english ? rule.english : rule.other;
      if (points == 0) continue;
      if (tokens_[at].is_english ? !InOrder(rule, at) : !Near(rule, at)) continue;
      matches_.push_back(
          {static_cast<std::uint32_t>(at), rule.trait, static_cast<std::int8_t>(points)});
    }
  }

  bool InOrder(const Rule& rule, std::size_t first) const {
    std::size_t at = first;
    for (std::size_t part = 1; part < rule.parts.size() && rule.parts[part] != 0; ++part) {
      do ++at;
      while (at < tokens_.size() && IsClose(first, at, rule.span) && !Has(at, rule.parts[part]));
      if (at == tokens_.size() || !IsClose(first, at, rule.span)) return false;
    }
    return true;
  }

  bool IsClose(std::size_t a, std::size_t b, std::uint32_t span) const {
    return tokens_[b].sentence == tokens_[a].sentence &&
           tokens_[b].position - tokens_[a].position <= span;
  }

  // In any order; inflected words may be several parts at once.
  bool Near(const Rule& rule, std::size_t first) const {
    const std::uint32_t span = rule.span + 2;
    for (std::size_t part = 1; part < rule.parts.size() && rule.parts[part] != 0; ++part) {
      bool is_found = false;
      for (std::size_t at = first; !is_found; --at) {
        if (!IsClose(at, first, span)) break;
        is_found = Has(at, rule.parts[part]);
        if (at == 0) break;
      }
      for (std::size_t at = first + 1; at < tokens_.size() && !is_found; ++at) {
        if (!IsClose(first, at, span)) break;
        is_found = Has(at, rule.parts[part]);
      }
      if (!is_found) return false;
    }
    return true;
  }

  bool IsInWindow(std::size_t first, std::size_t other) const {
    return tokens_[matches_[other].token].position <=
           tokens_[matches_[first].token].position + kWindow;
  }

  int ScoreFrom(std::size_t first) const {
    std::array<std::int8_t, kTraits> best{};
    int score = 0;
    for (std::size_t i = first; i < matches_.size(); ++i) {
      const Match& match = matches_[i];
      if (!IsInWindow(first, i)) break;
      // A text about attacks quotes them.
      constexpr std::int8_t kMentioned = 3;
      const bool is_mention = (roles_ & kAttack) != 0 && Has(match.token, kQuoted);
      const auto points =
          static_cast<std::int8_t>(is_mention ? match.points / kMentioned : match.points);
      if (points <= best[match.trait]) continue;
      score += points - best[match.trait];
      best[match.trait] = points;
    }
    return score;
  }

  std::span<const Token> tokens_;
  Roles roles_;
  std::vector<Match> matches_;
};

int DisguisePoints(const FoldedText& disguise, const Tokens& tokens, bool was_encoded) {
  // A list of thousands of lines has a bit of everything.
  constexpr std::size_t kLongest = 8192;
  if (disguise.text.size() > kLongest) return 0;
  int points = 0;
  if (disguise.mixed > 0) points += disguise.mixed > 2 ? 6 : 4;
  if (disguise.hidden > 0) points += disguise.hidden > 4 ? 4 : 2;
  if (disguise.styled > 8) points += 3;
  if (disguise.entities > 8) points += 4;
  if (disguise.spaced > 0) points += 3;
  if (tokens.leet > 2) points += 5;
  if (was_encoded) points += 5;
  return points;
}

}  // namespace

std::vector<std::size_t> FindInstructedLines(const Tokens& tokens, const FoldedText& disguise,
                                             bool was_encoded) {
  if (disguise.hidden_line) return {*disguise.hidden_line};
  return Scorer(tokens).Find(DisguisePoints(disguise, tokens, was_encoded));
}

}  // namespace sibyl::evidence
