// SPDX-License-Identifier: Apache-2.0
#include "references/find/asserted.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"

namespace sibyl::references {
namespace {

constexpr std::size_t kLongestClause = 80;
constexpr std::size_t kMostWordsBetween = 4;

constexpr auto kNegations =
    std::to_array<std::string_view>({"no", "not", "never", "without", "neither", "nor", "cannot",
                                     "lacks", "lack", "missing", "omits", "unlike"});
// "not only `x`" says that it is there.
constexpr auto kCancelling =
    std::to_array<std::string_view>({"only", "just", "merely", "matter", "doubt"});
constexpr auto kAddingVerbs = std::to_array<std::string_view>(
    {"add", "append", "create", "implement", "inject", "insert", "introduce"});
constexpr auto kBeforeInstructions = std::to_array<std::string_view>(
    {"should", "must", "will", "would", "please", "then", "and", "also", "todo"});
// "add `x` to `y`": y is there.
constexpr auto kPrepositions = std::to_array<std::string_view>(
    {"to", "in", "into", "at", "before", "after", "inside", "of", "from", "on", "next", "under"});

bool IsByteOfWord(char c) { return IsNameByte(c) || c == '\''; }

// Where the clause that ends at `end` begins.
std::size_t ClauseBegin(std::string_view text, std::size_t end) {
  const std::size_t limit = end > kLongestClause ? end - kLongestClause : 0;
  std::size_t at = end;
  while (at > limit) {
    const char c = text[at - 1];
    const char next = at < text.size() ? text[at] : ' ';
    const bool ends_clause = c == ';' || c == '(' || c == ')' || c == '|' ||
                             ((c == '.' || c == ':' || c == '!' || c == '?') && IsBlank(next));
    if (ends_clause || text.substr(0, at).ends_with("—") || text.substr(0, at).ends_with("–")) {
      return at;
    }
    // "no `a`, `b`": only a comma with words after it ends a clause.
    if (c == ',' && std::any_of(text.begin() + static_cast<std::ptrdiff_t>(at),
                                text.begin() + static_cast<std::ptrdiff_t>(end), IsLetter)) {
      return at;
    }
    --at;
  }
  return at;
}

std::vector<std::string> ClauseWords(std::string_view clause) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < clause.size();) {
    std::size_t end = at;
    while (end < clause.size() && IsByteOfWord(clause[end])) ++end;
    if (end > at) words.push_back(LowerCase(clause.substr(at, end - at)));
    at = std::max(end, at + 1);
  }
  return words;
}

bool IsNegation(const std::vector<std::string>& words, std::size_t i) {
  const std::string_view word = words[i];
  const std::string_view next = i + 1 < words.size() ? std::string_view(words[i + 1]) : "";
  if ((word == "instead" && next == "of") || (word == "rather" && next == "than")) return true;
  return (IsOneOf(word, kNegations) || word.ends_with("n't")) && !IsOneOf(next, kCancelling);
}

bool IsInstruction(const std::vector<std::string>& words, std::size_t i) {
  if (!IsOneOf(std::string_view(words[i]), kAddingVerbs)) return false;
  const bool is_addressed = i == 0 || IsOneOf(std::string_view(words[i - 1]), kBeforeInstructions);
  const bool is_needed = i > 1 && words[i - 1] == "to" &&
                         (words[i - 2].starts_with("need") || words[i - 2].starts_with("ha"));
  if (!is_addressed && !is_needed) return false;
  return std::none_of(
      words.begin() + static_cast<std::ptrdiff_t>(i), words.end(),
      [](const std::string& word) { return IsOneOf(std::string_view(word), kPrepositions); });
}

}  // namespace

bool IsAsserted(std::string_view text, std::size_t begin) {
  begin = std::min(begin, text.size());
  const std::size_t from = ClauseBegin(text, begin);
  const std::vector<std::string> words = ClauseWords(text.substr(from, begin - from));
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (IsNegation(words, i) && words.size() - i - 1 <= kMostWordsBetween) return false;
    if (IsInstruction(words, i)) return false;
  }
  return true;
}

}  // namespace sibyl::references
