// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/shape.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"

namespace sibyl::draft {
namespace {

constexpr double kMustHave = 0.6;
constexpr double kShouldHave = 0.85;

bool SaysOne(std::string_view lower, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return Contains(lower, word); });
}

bool HasDigit(std::string_view text) { return std::any_of(text.begin(), text.end(), IsDigit); }

// "3.18", "sm_90", "12.x".
bool HasVersion(std::string_view text) {
  for (std::size_t at = 0; at + 2 < text.size(); ++at) {
    if (IsDigit(text[at]) && text[at + 1] == '.' &&
        (IsDigit(text[at + 2]) || text[at + 2] == 'x')) {
      return true;
    }
  }
  return SaysOne(text, {"sm_", "SM", "compute capability"}) && HasDigit(text);
}

bool HasNumberWord(std::string_view lower) {
  constexpr std::array<std::string_view, 14> kNumbers = {
      "one", "two",  "three", "four", "five",      "six",    "eight",
      "ten", "half", "twice", "zero", "unlimited", "single", "double"};
  return std::any_of(kNumbers.begin(), kNumbers.end(), [&](std::string_view number) {
    return FindWholeWord(lower, number).has_value();
  });
}

std::size_t CountMarks(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return c == '`' || c == '"' || c == '\''; }));
}

bool HasCommand(const Unit& unit, std::string_view lower) {
  return unit.kind == UnitKind::kSample || unit.kind == UnitKind::kCode ||
         SaysOne(unit.text, {"`", "(", "--", "::", "$ ", "=", "_"}) ||
         SaysOne(lower, {"use ", "set ", "pass ", "call ", "run ", "add ", "enable", "specify"});
}

}  // namespace

double ShapeFit(Want want, const Unit& unit) {
  const std::string lower = LowerCase(unit.text);
  switch (want) {
    case Want::kDefault:
      if (SaysOne(lower, {"default", "initial", "if not set", "unset", "omitted", "unspecified",
                          "not specified", "otherwise", "not given"})) {
        return 1;
      }
      return SaysOne(unit.text, {"=", "option("}) ? 0.9 : kMustHave;
    case Want::kAmount:
      return HasDigit(unit.text) || HasNumberWord(lower) ? 1 : kMustHave;
    case Want::kSince:
      if (!HasVersion(unit.text)) return kMustHave;
      return SaysOne(lower, {"since", "added", "introduc", "new in", "after", "start", "as of",
                             "requir", "minimum", "at least", "or newer", "or later", "deprecat",
                             "remov", "prior", "release", "version", "before", "from "})
                 ? 1
                 : kShouldHave;
    case Want::kValues:
      return CountMarks(unit.text) >= 4 || unit.text.find('\n') != std::string::npos ||
                     SaysOne(lower, {"one of", "either", "valid", "must be", "supported", "|"})
                 ? 1
                 : kShouldHave;
    case Want::kHow:
      return HasCommand(unit, lower) ? 1 : kShouldHave;
    case Want::kWhy:
      return SaysOne(lower, {"because", "since ", "so that", "in order to", "avoid", "otherwise",
                             "due to", "cause", "therefore", "thus", "prevent", "to ensure", "fail",
                             "result", "cannot", "would", "reason", "as the "})
                 ? 1
                 : kShouldHave;
    case Want::kWhen:
      return SaysOne(lower, {"when", "if ", "after", "before", "once ", "until", "unless", "only"})
                 ? 1
                 : kShouldHave;
    case Want::kMeaning:
    case Want::kDifference:
    case Want::kError:
      break;
  }
  return 1;
}

WordCount CountUnitWords(const Unit& unit) {
  WordCount count;
  const std::string_view text = unit.text;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && !IsBlank(text[end])) ++end;
    std::string_view word = text.substr(at, end - at);
    at = std::max(end, at + 1);
    if (word.empty()) continue;
    while (!word.empty() && !IsAlphanumeric(word.back())) word.remove_suffix(1);
    ++count.words;
    const std::string_view tail = word.substr(std::min<std::size_t>(1, word.size()));
    const bool is_plain = word.size() > 1 && IsLetter(word[0]) &&
                          std::all_of(tail.begin(), tail.end(),
                                      [](char c) { return IsLower(c) || c == '-' || c == '\''; });
    count.plain += is_plain ? 1 : 0;
  }
  return count;
}

double Telling(Want want, const Unit& unit, const WordCount& count) {
  constexpr std::size_t kSentence = 4;
  constexpr std::size_t kUsual = 60;
  double telling = 1;
  const bool is_bare = unit.kind == UnitKind::kCode && !unit.has_comment &&
                       !SaysOne(unit.text, {"//", "/*", "# ", "\"", "'"});
  const bool is_sentence = !is_bare && count.plain >= kSentence && count.plain * 3 >= count.words;
  const bool wants_value = want == Want::kDefault || want == Want::kAmount || want == Want::kSince;
  if (!is_sentence) telling = wants_value && unit.kind != UnitKind::kText ? 0.85 : 0.7;
  // A string in a statement is not an explanation.
  const bool is_use = unit.kind == UnitKind::kCode && !unit.has_comment && want != Want::kError;
  if (is_use) telling = std::min(telling, wants_value ? 0.85 : 0.75);
  for (std::size_t words = kUsual; words < count.words; words *= 2) telling *= 0.96;
  return telling;
}

bool IsHollow(const Unit& unit) {
  constexpr std::size_t kFewestWords = 4;
  std::string_view text = Trim(unit.text);
  while (!text.empty() && (text[0] == '*' || text[0] == ' ')) text.remove_prefix(1);
  // References to other places.
  if (text.starts_with("\\sa ") || text.starts_with("@see ") || text.starts_with(".. seealso") ||
      StartsWithIgnoringCase(text, "see also")) {
    return true;
  }
  const auto blanks = static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return c == ' ' || c == '\n'; }));
  if (unit.kind == UnitKind::kText) {
    if (text.starts_with(".. ") && !Contains(text, "\n") && !HasDigit(text)) return true;
    if (text.starts_with(".. ")) return false;
    // A list of names.
    constexpr std::size_t kFewNames = 6;
    const WordCount count = CountUnitWords(unit);
    if (count.words >= kFewNames && count.plain * 4 < count.words && !HasDigit(text)) return true;
    return blanks + 1 < kFewestWords || text.ends_with(':') ||
           LowerCase(text).starts_with("copyright");
  }
  return false;
}

}  // namespace sibyl::draft
