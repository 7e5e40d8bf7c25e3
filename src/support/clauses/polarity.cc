// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/polarity.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/one_of.h"

namespace sibyl::support {
namespace {

constexpr std::array<std::string_view, 16> kConditions = {
    "if",   "when",    "unless", "whether", "until", "while",    "where", "whenever",
    "once", "because", "since",  "so",      "only",  "although", "in",    "for"};

constexpr std::size_t kReachOfWithout = 2;

class DeniedWords {
 public:
  DeniedWords(const ReadStatement& read, const EvidenceText& evidence)
      : read_(read), evidence_(evidence) {}

  std::optional<std::string> Find() const {
    if (evidence_.prose_negations().empty()) return std::nullopt;
    for (std::size_t i = 0; i < read_.tokens.size(); ++i) {
      const Token& token = read_.tokens[i];
      if (token.in_code || token.kind != TokenKind::kWord || WeightOf(token) == 0) continue;
      if (read_.grounds[i].ground < Ground::kForm || IsDeniedHere(i)) continue;
      if (IsDeniedInLines(token) && !IsQuoted(read_, i)) return token.lower;
    }
    return std::nullopt;
  }

 private:
  // The clause of the statement denies, or is a condition or an exception.
  bool IsDeniedHere(std::size_t i) const {
    constexpr std::array<std::string_view, 23> kDenials = {
        "instead", "rather",   "unlike",  "except",     "fails",   "refuses", "skips", "ignores",
        "avoids",  "prevents", "unable",  "impossible", "rejects", "leaves",  "only",  "keeps",
        "too",     "just",     "nothing", "merely",     "solely",  "little",  "few"};
    std::size_t begin = i;
    while (begin > 0 && read_.tokens[begin - 1].clause == read_.tokens[i].clause) --begin;
    if (IsOneOf(read_.tokens[begin].lower, kConditions)) return true;
    if (StartsException(read_.tokens[begin].lower)) return true;
    for (std::size_t j = begin;
         j < read_.tokens.size() && read_.tokens[j].clause == read_.tokens[i].clause; ++j) {
      const Token& token = read_.tokens[j];
      // "without" denies what follows it at once.
      const bool is_near = j <= i && WordsFrom(read_.tokens, j, i) <= kReachOfWithout;
      if (token.lower == "without" && !is_near) continue;
      if (token.is_negation || IsOneOf(token.lower, kDenials)) return true;
      if (DeniesByPrefix(token.lower)) return true;
    }
    return false;
  }

  bool IsDeniedInLines(const Token& said) const {
    bool is_denied = false;
    const std::vector<Token>& tokens = evidence_.tokens();
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const bool is_part = std::find(tokens[i].parts.begin(), tokens[i].parts.end(), said.stem) !=
                           tokens[i].parts.end();
      if (tokens[i].stem != said.stem && !is_part) continue;
      if (is_part || !IsDenied(i)) return false;
      is_denied = true;
    }
    return is_denied;
  }

  // "not", "does not", one to three words before, in a clause without condition.
  bool IsDenied(std::size_t i) const {
    constexpr std::uint32_t kReach = 2;
    constexpr std::size_t kSentence = 8;
    const std::vector<Token>& tokens = evidence_.tokens();
    for (const std::uint32_t negation : evidence_.prose_negations()) {
      if (negation >= tokens[i].position || tokens[i].position - negation > kReach) continue;
      std::size_t at = i;
      while (at > 0 && tokens[at].position > negation) --at;
      if (tokens[at].lower == "without" || tokens[at].lower == "non") return false;
      if (at + 1 < tokens.size() && tokens[at + 1].lower == "only") return false;
      if (IsPartial(read_, evidence_, i) || IsApart(at, i)) return false;
      if (IsOrNot(tokens, at)) return false;
      if (i + 1 < tokens.size() && IsAnother(tokens[at], tokens[i], tokens[i + 1])) return false;
      for (std::size_t j = at - std::min(at, kSentence); j < at; ++j) {
        if (IsOneOf(tokens[j].lower, kConditions)) return false;
      }
      return true;
    }
    return false;
  }

  // "No stall, instruction is selected": it denies the stall.
  bool IsApart(std::size_t negation, std::size_t word) const {
    const std::vector<Token>& tokens = evidence_.tokens();
    const std::string_view between =
        evidence_.lines().substr(tokens[negation].end, tokens[word].begin - tokens[negation].end);
    return between.find_first_of(",;:") != std::string_view::npos;
  }

  // "no binary cloning" denies the cloning, "not cached properly" how it is cached.
  static bool IsAnother(const Token& negation, const Token& word, const Token& next) {
    if (next.position != word.position + 1) return false;
    if (next.lower.ends_with("ly")) return true;
    return negation.lower == "no" && next.weight != WordWeight::kNone && !next.is_negation;
  }

  const ReadStatement& read_;
  const EvidenceText& evidence_;
};

}  // namespace

std::size_t WordsFrom(const std::vector<Token>& tokens, std::size_t from, std::size_t to) {
  constexpr std::array<std::string_view, 4> kArticles = {"a", "an", "the", "any"};
  return static_cast<std::size_t>(
      std::count_if(tokens.begin() + static_cast<std::ptrdiff_t>(from) + 1,
                    tokens.begin() + static_cast<std::ptrdiff_t>(to) + 1,
                    [&](const Token& token) { return !IsOneOf(token.lower, kArticles); }));
}

bool IsOrNot(const std::vector<Token>& tokens, std::size_t negation) {
  return negation > 0 && tokens[negation].lower == "not" && tokens[negation - 1].lower == "or";
}

bool IsPartial(const ReadStatement& read, const EvidenceText& evidence, std::size_t word) {
  constexpr std::array<std::string_view, 6> kAll = {"all",         "every", "always",
                                                    "necessarily", "fully", "entire"};
  constexpr std::array<std::string_view, 8> kSaid = {"all",   "every",  "always", "any",
                                                     "fully", "entire", "each",   "whole"};
  const bool says_all = std::any_of(read.tokens.begin(), read.tokens.end(),
                                    [&](const Token& t) { return IsOneOf(t.lower, kSaid); });
  constexpr std::size_t kReach = 4;
  const std::vector<Token>& tokens = evidence.tokens();
  for (std::size_t i = word + 1; i < std::min(word + 1 + kReach, tokens.size()); ++i) {
    const std::string_view between =
        evidence.lines().substr(tokens[i - 1].end, tokens[i].begin - tokens[i - 1].end);
    if (between.find_first_of(",;.") != std::string_view::npos) return false;
    if (tokens[i].lower == "like") return true;
    if (IsOneOf(tokens[i].lower, kAll)) return !says_all;
  }
  return false;
}

bool StartsException(std::string_view lower) {
  constexpr std::array<std::string_view, 4> kWords = {"unless", "or", "otherwise", "lest"};
  return IsOneOf(lower, kWords);
}

bool IsQuoted(const ReadStatement& read, std::size_t token) {
  const std::string_view text = read.statement.text;
  const std::string_view before = text.substr(0, read.tokens[token].begin);
  const std::size_t open = before.rfind("\xE2\x80\x9C");
  if (open != std::string_view::npos && before.find("\xE2\x80\x9D", open) == before.npos)
    return true;
  return std::count(before.begin(), before.end(), '"') % 2 == 1 &&
         text.find('"', read.tokens[token].end) != std::string_view::npos;
}

std::optional<std::string> AssertsDenied(const ReadStatement& read, const EvidenceText& evidence) {
  return DeniedWords(read, evidence).Find();
}

}  // namespace sibyl::support
