// SPDX-License-Identifier: Apache-2.0
#include "support/numbers/number_words.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"

namespace sibyl::support {
namespace {

struct NumberWord {
  std::string_view word;
  double value;
};

constexpr std::array<NumberWord, 40> kNumberWords = {{
    {"zero", 0},       {"two", 2},        {"three", 3},     {"four", 4},      {"five", 5},
    {"six", 6},        {"seven", 7},      {"eight", 8},     {"nine", 9},      {"ten", 10},
    {"eleven", 11},    {"twelve", 12},    {"thirteen", 13}, {"fourteen", 14}, {"fifteen", 15},
    {"sixteen", 16},   {"seventeen", 17}, {"eighteen", 18}, {"nineteen", 19}, {"twenty", 20},
    {"thirty", 30},    {"forty", 40},     {"fifty", 50},    {"sixty", 60},    {"hundred", 100},
    {"thousand", 1e3}, {"million", 1e6},  {"billion", 1e9}, {"dozen", 12},    {"half", 0.5},
    {"twice", 2},      {"double", 2},     {"doubled", 2},   {"triple", 3},    {"quarter", 0.25},
    {"halves", 0.5},   {"seventy", 70},   {"eighty", 80},   {"ninety", 90},   {"halved", 0.5},
}};

constexpr double kFirstTen = 20;
constexpr double kLastTen = 90;

struct Word {
  std::string lower;
  std::size_t end = 0;
};

// The word at this place; empty if a longer name begins there.
Word WordAt(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && IsLetter(text[end])) ++end;
  if (end < text.size() && IsNameByte(text[end])) return {};
  return {.lower = LowerCase(text.substr(begin, end - begin)), .end = end};
}

const NumberWord* Find(std::string_view lower) {
  const auto* const known =
      std::find_if(kNumberWords.begin(), kNumberWords.end(),
                   [&](const NumberWord& word) { return word.word == lower; });
  return known == kNumberWords.end() ? nullptr : known;
}

// "one kibibyte", "one second": as exact as any other number.
bool IsOneUnit(const Word& one, std::string_view text) {
  constexpr std::array<std::string_view, 16> kUnits = {
      "second",   "millisecond", "microsecond", "nanosecond", "minute",   "hour",
      "percent",  "kilobyte",    "kibibyte",    "megabyte",   "mebibyte", "gigabyte",
      "gibibyte", "hertz",       "kilohertz",   "megahertz"};
  if (one.lower != "one" || one.end >= text.size() || text[one.end] != ' ') return false;
  return IsOneOf(WordAt(text, one.end + 1).lower, kUnits);
}

bool IsScale(std::string_view lower) {
  return lower == "thousand" || lower == "million" || lower == "billion";
}

}  // namespace

NumberWords WithScale(NumberWords value, std::string_view text) {
  constexpr int kMostScales = 3;  // "two hundred thousand"
  for (int i = 0; i < kMostScales; ++i) {
    if (value.end + 1 >= text.size() || text[value.end] != ' ') break;
    const Word next = WordAt(text, value.end + 1);
    if (!IsScale(next.lower)) break;
    value = {.value = value.value * Find(next.lower)->value, .end = next.end};
  }
  return value;
}

std::optional<NumberWords> NumberWordsAt(std::string_view text, std::size_t begin) {
  const Word first = WordAt(text, begin);
  const NumberWord* known = Find(first.lower);
  if (IsOneUnit(first, text)) return NumberWords{.value = 1, .end = first.end};
  // "ZeRO" is a name.
  if (known == nullptr ||
      std::any_of(text.begin() + static_cast<std::ptrdiff_t>(begin) + 1,
                  text.begin() + static_cast<std::ptrdiff_t>(first.end), IsUpper)) {
    return std::nullopt;
  }
  NumberWords number = {.value = known->value, .end = first.end};
  constexpr std::string_view kDozen = " a dozen";
  if (first.lower == "half" && StartsWithIgnoringCase(text.substr(first.end), kDozen)) {
    constexpr double kSix = 6;
    return NumberWords{.value = kSix, .end = first.end + kDozen.size()};
  }
  const bool is_ten = known->value >= kFirstTen && known->value <= kLastTen;
  if (is_ten && number.end < text.size() && text[number.end] == '-') {
    const Word second = WordAt(text, number.end + 1);
    const NumberWord* unit = Find(second.lower);
    const double ones = second.lower == "one" ? 1 : unit != nullptr ? unit->value : 0;
    if (ones >= 1 && ones <= 9) number = {.value = number.value + ones, .end = second.end};
  }
  if (number.end < text.size() && text[number.end] == ' ') {
    // "two hundred", "three dozen"; but not "half hundred"
    const Word next = WordAt(text, number.end + 1);
    if (number.value >= 1 && (next.lower == "hundred" || next.lower == "dozen")) {
      number = {.value = number.value * Find(next.lower)->value, .end = next.end};
    }
  }
  return WithScale(number, text);
}

Rounding RoundingBefore(std::string_view text, std::size_t begin) {
  struct Words {
    std::string_view words;
    Rounding rounding;
  };
  constexpr std::array<Words, 18> kWords = {{
      {"roughly", Rounding::kNearest},
      {"about", Rounding::kNearest},
      {"around", Rounding::kNearest},
      {"approximately", Rounding::kNearest},
      {"approx.", Rounding::kNearest},
      {"some", Rounding::kNearest},
      {"circa", Rounding::kNearest},
      {"~", Rounding::kNearest},
      {"\xE2\x89\x88", Rounding::kNearest},
      {"nearly", Rounding::kUp},
      {"almost", Rounding::kUp},
      {"close to", Rounding::kNearest},
      {"just under", Rounding::kUp},
      {"over", Rounding::kDown},
      {"more than", Rounding::kDown},
      {"just above", Rounding::kDown},
      {"a little under", Rounding::kUp},
      {"well over", Rounding::kDown},
  }};
  constexpr std::size_t kReach = 24;
  const std::size_t from = begin - std::min(begin, kReach);
  const std::string before = LowerCase(text.substr(from, begin - from));
  std::string_view rest = Trim(before);
  if (rest.ends_with(" a")) rest = Trim(rest.substr(0, rest.size() - 2));  // "about a million"
  for (const Words& words : kWords) {
    if (!rest.ends_with(words.words)) continue;
    const std::size_t at = rest.size() - words.words.size();
    if (at == 0 || !IsLetter(rest[at - 1]) || !IsLetter(words.words[0])) return words.rounding;
  }
  return Rounding::kNone;
}

}  // namespace sibyl::support
