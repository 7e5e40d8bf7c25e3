// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/telling_shape.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <vector>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"

namespace sibyl::draft {
namespace {

constexpr double kHalf = 0.5;

bool HasOneOf(std::string_view lower, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return Contains(lower, word); });
}

// Words in lower case, numbers with their dots: "3.18".
std::vector<std::string_view> WordsAndNumbers(std::string_view lower) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < lower.size();) {
    std::size_t end = at;
    const auto is_inside = [&](std::size_t i) {
      return IsWordByte(lower[i]) || (lower[i] == '.' && i > at && IsDigit(lower[i - 1]) &&
                                      i + 1 < lower.size() && IsDigit(lower[i + 1]));
    };
    while (end < lower.size() && is_inside(end)) ++end;
    if (end > at) words.push_back(lower.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return words;
}

bool IsNumberWord(std::string_view word) {
  constexpr std::array<std::string_view, 14> kNumbers = {
      "one",   "two", "three",  "four",  "five", "six",       "seven",
      "eight", "ten", "twelve", "twice", "zero", "unlimited", "single"};
  return IsDigit(word[0]) || std::find(kNumbers.begin(), kNumbers.end(), word) != kNumbers.end();
}

// "cores" and "core" begin alike.
bool IsSameNoun(std::string_view a, std::string_view b) {
  const std::size_t least = std::min(a.size(), b.size());
  if (least < 3) return a == b;
  const std::size_t stem = std::max<std::size_t>(3, least - std::min<std::size_t>(2, least - 3));
  return a.substr(0, stem) == b.substr(0, stem);
}

// What follows "how many": the things that are counted.
std::vector<std::string_view> CountedNouns(std::string_view lower) {
  std::vector<std::string_view> nouns;
  for (const std::string_view sign : {"how many ", "number of ", "how much "}) {
    const std::size_t at = lower.find(sign);
    if (at == std::string_view::npos) continue;
    for (const std::string_view word : WordsAndNumbers(lower.substr(at + sign.size()))) {
      if (nouns.size() == 3) break;
      nouns.push_back(word);
    }
    break;
  }
  if (Contains(lower, "how long")) return {"seconds", "minutes", "ms", "hours", "days", "millisec"};
  if (HasOneOf(lower, {"how large", "how big", "size"})) {
    return {"bytes", "kb", "mb", "gb", "bits", "elements", "mib", "kib"};
  }
  return nouns;
}

double TellsAmount(const Question& question, std::string_view lower) {
  const std::string asked = LowerCase(question.text);
  const std::vector<std::string_view> nouns = CountedNouns(asked);
  constexpr std::size_t kNear = 3;
  const std::vector<std::string_view> words = WordsAndNumbers(lower);
  bool has_number = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!IsNumberWord(words[i])) continue;
    has_number = true;
    const std::size_t begin = i > kNear ? i - kNear : 0;
    for (std::size_t j = begin; j < std::min(words.size(), i + kNear + 1); ++j) {
      const bool is_counted =
          j != i && std::any_of(nouns.begin(), nouns.end(),
                                [&](std::string_view noun) { return IsSameNoun(noun, words[j]); });
      if (is_counted) return 1;
    }
  }
  return has_number ? kHalf : 0;
}

bool LooksLikeValue(std::string_view text) {
  if (text.empty()) return false;
  constexpr std::array<std::string_view, 14> kValues = {
      "true", "false", "none", "on",       "off",     "null", "empty",
      "zero", "one",   "all",  "infinite", "enabled", "yes",  "disabled"};
  if (IsDigit(text[0]) || text[0] == '`' || text[0] == '"' || text[0] == '\'') return true;
  if ((text[0] == '-' || text[0] == '.') && text.size() > 1 && IsDigit(text[1])) return true;
  std::size_t end = 0;
  while (end < text.size() && IsWordByte(text[end])) ++end;
  return std::find(kValues.begin(), kValues.end(), text.substr(0, end)) != kValues.end();
}

// "Default: 5", "defaults to ``x``", "(default = 1e-8)", "is 8 by default".
bool BindsDefault(std::string_view lower, std::size_t at) {
  constexpr std::array<std::string_view, 9> kBetween = {"value", "is",  "to",  "of", "set",
                                                        "the",   "was", "are", "an"};
  std::size_t from = at + std::string_view("default").size();
  if (from < lower.size() && lower[from] == 's') ++from;
  for (int step = 0; step < 5; ++step) {
    while (from < lower.size() &&
           (IsBlank(lower[from]) || lower[from] == '\n' || lower[from] == ':' ||
            lower[from] == '=' || lower[from] == '*' || lower[from] == '(')) {
      ++from;
    }
    if (LooksLikeValue(lower.substr(from))) return true;
    std::size_t end = from;
    while (end < lower.size() && IsWordByte(lower[end])) ++end;
    const std::string_view word = lower.substr(from, end - from);
    if (std::find(kBetween.begin(), kBetween.end(), word) == kBetween.end()) break;
    from = end;
  }
  const std::string_view before = Trim(lower.substr(0, at));
  if (!before.ends_with(" by") && !before.ends_with("(")) return false;
  constexpr std::size_t kSentence = 40;
  const std::string_view near = before.substr(before.size() - std::min(before.size(), kSentence));
  return std::any_of(near.begin(), near.end(), IsDigit) || HasOneOf(near, {"`", "true", "false"});
}

// Whether one of the words that a question is about is near a place: the value of
// another argument is no answer.
bool IsNearSubject(const Question& question, std::string_view lower, std::size_t at) {
  constexpr std::size_t kBefore = 200;
  constexpr std::size_t kAfter = 60;
  constexpr std::size_t kStem = 5;
  const std::size_t begin = at > kBefore ? at - kBefore : 0;
  const std::string_view near = lower.substr(begin, at - begin + kAfter);
  return std::any_of(question.words.begin(), question.words.end(), [&](const QuestionWord& word) {
    if (word.is_frame || word.is_everyday) return false;
    const std::string asked = LowerCase(word.written);
    return Contains(near, word.is_name ? asked : asked.substr(0, kStem));
  });
}

// Whether the question has the parts of a name, of three or more all but one.
bool AsksForName(const Question& question, std::string_view name) {
  std::size_t parts = 0;
  std::size_t met = 0;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find('_', at), name.size());
    const std::string_view part = name.substr(at, end - at);
    at = end + 1;
    if (part.empty()) continue;
    ++parts;
    const bool is_met =
        std::any_of(question.words.begin(), question.words.end(), [&](const QuestionWord& word) {
          const std::string asked = LowerCase(word.written);
          return !word.is_everyday && (asked == part || (part.size() >= 3 && asked.size() > 3 &&
                                                         asked.starts_with(part)));
        });
    met += is_met ? 1 : 0;
  }
  return met > 0 && (met == parts || (parts > 2 && met + 1 == parts));
}

// "weight_decay: float = 1e-2": a value for a name that is asked for.
bool AssignsAsked(const Question& question, std::string_view lower) {
  constexpr std::size_t kBefore = 160;
  for (std::size_t at = lower.find('='); at != std::string_view::npos;
       at = lower.find('=', at + 1)) {
    const bool is_comparison =
        (at > 0 && std::string_view("=!<>").find(lower[at - 1]) != std::string_view::npos) ||
        lower.substr(at + 1, 1) == "=";
    if (is_comparison) continue;
    const std::string_view before =
        lower.substr(at > kBefore ? at - kBefore : 0, std::min(at, kBefore));
    std::string_view left = Trim(before.substr(before.find_last_of("\n,(") + 1));
    left = Trim(left.substr(0, left.find(':')));
    const std::size_t blank = left.find_last_of(" .");
    if (blank != std::string_view::npos) left.remove_prefix(blank + 1);
    if (!left.empty() && AsksForName(question, left)) return true;
  }
  return false;
}

double TellsDefault(const Question& question, const Unit& unit, std::string_view lower) {
  constexpr double kOfAnother = 0.6;
  double best = 0;
  if (unit.kind == UnitKind::kCode && AssignsAsked(question, lower)) return 1;
  for (std::size_t at = lower.find("default"); at != std::string_view::npos;
       at = lower.find("default", at + 1)) {
    const bool is_bound = BindsDefault(lower, at);
    if (is_bound && IsNearSubject(question, lower, at)) return 1;
    best = std::max(best, is_bound ? kOfAnother : kHalf);
  }
  if (HasOneOf(lower, {"if not set", "if unset", "not specified", "if omitted", "is not set",
                       "initially", "unless "})) {
    best = std::max(best, 0.7);
  }
  return best;
}

double TellsVersion(std::string_view lower) {
  constexpr std::array<std::string_view, 19> kSigns = {
      "versionadded", "versionchanged", "since",    "introduced", "added",   "new",   "deprecated",
      "starting",     "from",           "requires", "required",   "minimum", "later", "newer",
      "higher",       "removed",        "prior",    "before",     "least"};
  constexpr std::size_t kNear = 6;
  const std::vector<std::string_view> words = WordsAndNumbers(lower);
  double best = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_version = IsDigit(words[i][0]) && Contains(words[i], ".");
    if (!is_version && !words[i].starts_with("sm_")) continue;
    best = kHalf;
    const std::size_t begin = i > kNear ? i - kNear : 0;
    for (std::size_t j = begin; j < std::min(words.size(), i + kNear + 1); ++j) {
      if (std::find(kSigns.begin(), kSigns.end(), words[j]) != kSigns.end()) return 1;
    }
  }
  return best;
}

double TellsValues(const Unit& unit, std::string_view lower) {
  std::size_t entries = 0;
  std::size_t members = 0;
  for (const std::string_view line : SplitLines(unit.text)) {
    const std::string_view words = Trim(line);
    if (words.empty()) continue;
    const bool is_item = words.starts_with("* ") || words.starts_with("- ");
    entries += is_item || words.starts_with("``") || words.starts_with("- ``") ? 1 : 0;
    std::size_t end = 0;
    while (end < words.size() && IsWordByte(words[end])) ++end;
    const std::string_view rest = Trim(words.substr(end));
    members += end > 1 && (rest.starts_with("= ") || rest.starts_with(",")) ? 1 : 0;
  }
  const auto marks = std::count_if(unit.text.begin(), unit.text.end(),
                                   [](char c) { return c == '`' || c == '"' || c == '\''; });
  const bool says = HasOneOf(
      lower, {"one of", "either", "must be", "can be", "may be", "choices", "valid", "supported",
              "possible", "following", "accept", "allowed", "available", "enum ", " | "});
  const bool has_list = entries >= 2 || members >= 3 || marks >= 6;
  if (says && (has_list || marks >= 4)) return 1;
  return has_list ? 0.7 : says && marks >= 2 ? kHalf : 0;
}

double TellsMeaning(const Unit& unit, std::string_view lower) {
  constexpr std::size_t kOpening = 120;
  const std::string_view opening = lower.substr(0, kOpening);
  if (HasOneOf(opening, {" is a ", " is an ", " is the ", " are a ", " refers to ", " means ",
                         " stands for ", " is used to ", " is used for ", " are used to ",
                         " is called ", " allows ", " lets "})) {
    return 1;
  }
  return unit.has_comment || HasOneOf(opening, {" controls ", " specifies ", "returns ", " sets ",
                                                " indicates", " provides ", " is ", " are "})
             ? kHalf
             : 0;
}

double TellsHow(const Unit& unit, std::string_view lower) {
  const bool advises =
      lower.starts_with("to ") || lower.starts_with("use ") ||
      HasOneOf(lower, {"you can ", " use ", "can be used", "by setting", "by passing", "by calling",
                       "by using", "must be", "need to", " should ", "make sure", "in order to",
                       "to enable", "to disable", "recommend", "call ", "pass "});
  const bool has_code = unit.kind == UnitKind::kSample || HasOneOf(unit.text, {"`", "()", "--"});
  return advises && has_code ? 1 : advises || unit.kind == UnitKind::kSample ? kHalf : 0;
}

}  // namespace

std::string_view OpeningSubject(std::string_view text) {
  constexpr std::size_t kLongest = 90;
  constexpr std::array<std::string_view, 13> kVerbs = {
      " is ",   " are ",     " refers to ", " means ",  " specifies ", " controls ", " allows ",
      " lets ", " enables ", " provides ",  " stands ", " computes ",  " returns "};
  const std::string_view opening = text.substr(0, kLongest);
  std::size_t end = std::string_view::npos;
  for (const std::string_view verb : kVerbs) end = std::min(end, opening.find(verb));
  if (end == std::string_view::npos) return {};
  const std::string_view subject = opening.substr(0, end);
  // A clause before it: "If X is …", "When …, Y is …".
  if (subject.find_first_of(".,;:") != std::string_view::npos) return {};
  return subject;
}

double QuotedShare(std::string_view question, std::string_view text) {
  constexpr std::size_t kFewest = 5;
  constexpr std::size_t kMostAsked = 40;
  constexpr std::size_t kMostRead = 400;
  const std::string lower_question = LowerCase(question);
  std::vector<std::string_view> asked = WordsAndNumbers(lower_question);
  if (asked.size() < kFewest) return 0;
  asked.resize(std::min(asked.size(), kMostAsked));
  const std::string lower_text = LowerCase(text);
  std::vector<std::string_view> words = WordsAndNumbers(lower_text);
  words.resize(std::min(words.size(), kMostRead));
  std::size_t longest = 0;
  std::vector<std::size_t> runs(asked.size() + 1);  // that end with the word of the text at hand
  for (const std::string_view word : words) {
    for (std::size_t i = asked.size(); i > 0; --i) {
      runs[i] = asked[i - 1] == word ? runs[i - 1] + 1 : 0;
      longest = std::max(longest, runs[i]);
    }
  }
  if (longest < kFewest) return 0;
  return static_cast<double>(longest) / static_cast<double>(asked.size());
}

double TellingShape(const Question& question, const Unit& unit) {
  const std::string lower = LowerCase(unit.text);
  switch (question.want) {
    case Want::kDefault:
      return TellsDefault(question, unit, lower);
    case Want::kAmount:
      return TellsAmount(question, lower);
    case Want::kSince:
      return TellsVersion(lower);
    case Want::kValues:
      return TellsValues(unit, lower);
    case Want::kHow:
      return TellsHow(unit, lower);
    case Want::kWhy:
      return HasOneOf(lower, {"because", "so that", "in order to", "due to", "otherwise",
                              "to avoid", "reason", "since ", "therefore", "to prevent",
                              "as a result", "cause", "not recommend", "rather than"})
                 ? 1
                 : 0;
    case Want::kWhen:
      return HasOneOf(lower, {"when ", "if ", "unless", "once ", "until"}) ? 1 : 0;
    case Want::kDifference:
      return HasOneOf(lower, {"unlike", "whereas", "while ", "in contrast", "differ", "compared",
                              "instead", "similar to", "same as", "equivalent", "but "})
                 ? 1
                 : 0;
    case Want::kMeaning:
      return TellsMeaning(unit, lower);
    case Want::kError:
      break;
  }
  return 0;
}

}  // namespace sibyl::draft
