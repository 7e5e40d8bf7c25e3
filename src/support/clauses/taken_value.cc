// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/taken_value.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/one_of.h"
#include "support/values.h"

namespace sibyl::support {
namespace {

constexpr std::size_t kLongestLines = 20'000;

std::string_view GapBefore(const EvidenceText& evidence, std::size_t i) {
  const std::vector<Token>& tokens = evidence.tokens();
  return evidence.lines().substr(tokens[i - 1].end, tokens[i].begin - tokens[i - 1].end);
}

bool Says(const ReadStatement& read, const std::string& stem) {
  return std::any_of(read.tokens.begin(), read.tokens.end(), [&](const Token& token) {
    return token.stem == stem ||
           std::find(token.parts.begin(), token.parts.end(), stem) != token.parts.end();
  });
}

// The part of `name` that `other` does not have, if the two differ in their last part only.
std::optional<std::string> LastPart(const Token& name, const Token& other) {
  if (name.parts.size() < 2 || name.parts.size() != other.parts.size()) return std::nullopt;
  const bool is_sibling =
      std::equal(name.parts.begin(), name.parts.end() - 1, other.parts.begin()) &&
      name.parts.back() != other.parts.back();
  return is_sibling ? std::optional(name.parts.back()) : std::nullopt;
}

struct Assignment {
  std::string name;
  std::string value;
};

// `c.a = c.b` and `a := b`, not `a == b`.
std::vector<Assignment> AssignmentsIn(const EvidenceText& evidence) {
  constexpr std::size_t kMost = 256;
  const std::vector<Token>& tokens = evidence.tokens();
  std::vector<Assignment> found;
  for (std::size_t i = 1; i < tokens.size() && found.size() < kMost; ++i) {
    const std::string_view gap = GapBefore(evidence, i);
    if (gap != " = " && gap != " := " && gap != "=") continue;
    // `c.b`: its last name.
    std::size_t value = i;
    while (value + 1 < tokens.size() && GapBefore(evidence, value + 1) == ".") ++value;
    found.push_back({.name = tokens[i - 1].lower, .value = tokens[value].lower});
  }
  return found;
}

}  // namespace

std::optional<OtherName> FindOtherSibling(const ReadStatement& read, const EvidenceText& evidence) {
  const std::vector<Token>& tokens = evidence.tokens();
  if (tokens.size() > kLongestLines || !SpeaksOfDefault(read.statement.text)) return std::nullopt;
  const Token* marked = nullptr;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    const bool is_default = tokens[i - 1].lower == "default" || tokens[i - 1].lower == "defaults";
    if (!is_default || tokens[i].kind != TokenKind::kName) continue;
    const std::string_view gap = GapBefore(evidence, i);
    const bool is_value = gap.find_first_of(":=") != std::string_view::npos &&
                          gap.find('\n') == std::string_view::npos;
    if (!is_value) continue;
    if (marked != nullptr && marked->lower != tokens[i].lower) return std::nullopt;
    marked = &tokens[i];
  }
  if (marked == nullptr || marked->parts.size() < 2 || Says(read, marked->parts.back())) {
    return std::nullopt;
  }
  for (const Token& other : tokens) {
    if (other.kind != TokenKind::kName) continue;
    const std::optional<std::string> part = LastPart(other, *marked);
    if (part && Says(read, *part)) return OtherName{.said = *part, .there = marked->lower};
  }
  return std::nullopt;
}

std::optional<OtherName> FindOtherAssigned(const ReadStatement& read,
                                           const EvidenceText& evidence) {
  constexpr std::array<std::string_view, 8> kTakes = {"takes",    "take",  "becomes", "become",
                                                      "defaults", "falls", "equals",  "gets"};
  if (evidence.tokens().size() > kLongestLines) return std::nullopt;
  std::vector<std::size_t> names;
  std::size_t verb = read.tokens.size();
  for (std::size_t i = 0; i < read.tokens.size(); ++i) {
    const Token& token = read.tokens[i];
    if (token.is_negation) return std::nullopt;
    if (!token.in_code && IsOneOf(token.lower, kTakes) && verb == read.tokens.size()) verb = i;
    if (token.in_code && token.kind != TokenKind::kNumber) names.push_back(i);
  }
  constexpr std::size_t kTwo = 2;
  if (names.size() != kTwo || verb <= names[0] || verb >= names[1]) return std::nullopt;
  const std::string& name = read.tokens[names[0]].lower;
  const std::string& value = read.tokens[names[1]].lower;
  std::optional<OtherName> other;
  bool is_elsewhere = false;
  for (const Assignment& one : AssignmentsIn(evidence)) {
    if (one.name == name && one.value == value) return std::nullopt;
    if (one.name == name) other = OtherName{.said = value, .there = one.value};
    is_elsewhere = is_elsewhere || (one.name != name && one.value == value);
  }
  return is_elsewhere ? other : std::nullopt;
}

}  // namespace sibyl::support
