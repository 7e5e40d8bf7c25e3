// SPDX-License-Identifier: Apache-2.0
#include "audit/facts/format_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>

#include "audit/facts/field_mentions.h"
#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "field/field.h"

namespace sibyl::audit {
namespace {

using FormatWords = std::vector<std::string>;

constexpr std::array<std::string_view, 14> kLargest = {
    "max",       "maximum", "largest", "tops",    "top",   "reaches", "range",
    "saturates", "highest", "finite",  "biggest", "limit", "amax",    "most"};

constexpr std::array<std::string_view, 34> kBetween = {
    "max",       "maximum",   "largest", "tops",          "out",    "reaches", "range",
    "saturates", "highest",   "finite",  "biggest",       "limit",  "at",      "has",
    "a",         "of",        "is",      "the",           "up",     "to",      "value",
    "(",         "=",         "goes",    "representable", "number", "its",     "with",
    "can",       "represent", "values",  "magnitude",     "only",   ":"};

bool AreAll(const FormatWords& words) {
  return std::ranges::all_of(words,
                             [](const std::string& word) { return IsOneOf(word, kBetween); });
}

// "57344", "57,344": nothing if there is more than a number.
std::size_t ReadWhole(std::string_view text, std::size_t at, std::uint32_t& value) {
  std::string digits;
  std::size_t end = at;
  while (
      end < text.size() &&
      (IsDigit(text[end]) || (text[end] == ',' && end + 3 < text.size() && IsDigit(text[end + 1]) &&
                              IsDigit(text[end + 2]) && IsDigit(text[end + 3])))) {
    if (text[end] != ',') digits += text[end];
    ++end;
  }
  const bool is_part = end < text.size() && (IsNameByte(text[end]) || text[end] == '-' ||
                                             text[end] == '%' || text[end] == '*');
  const bool has_fraction = end + 1 < text.size() && text[end] == '.' && IsDigit(text[end + 1]);
  if (digits.empty() || digits.size() > 6 || is_part || has_fraction) return 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return end;
}

}  // namespace

std::vector<JudgedFact> JudgeFormats(std::string_view text) {
  std::vector<JudgedFact> judged;
  const FormatWords all = PlainTokens(text);
  const bool is_about =
      std::ranges::any_of(all, [](const std::string& word) { return IsOneOf(word, kLargest); });
  // Other variants have other values.
  const std::string lower = LowerCase(text);
  const bool is_variant = lower.find("fnuz") != lower.npos || lower.find("amd") != lower.npos ||
                          lower.find("mi300") != lower.npos || lower.find("ieee") != lower.npos;
  if (!is_about || is_variant) return judged;
  constexpr std::size_t kFurthest = 60;
  for (const field::NumberFormat& format : field::NumberFormats()) {
    for (std::size_t at = text.find(format.name); at != text.npos;
         at = text.find(format.name, at + 1)) {
      const std::size_t end = at + format.name.size();
      if ((at > 0 && IsNameByte(text[at - 1])) || (end < text.size() && IsNameByte(text[end]))) {
        continue;
      }
      const std::size_t number = text.find_first_of("0123456789", end);
      if (number == text.npos || number - end > kFurthest) continue;
      const std::string_view between = text.substr(end, number - end);
      std::uint32_t value = 0;
      const std::size_t stop = ReadWhole(text, number, value);
      if (stop == 0 || !AreAll(PlainTokens(between))) continue;
      const bool is_same = value == format.largest;
      // Small numbers are bits, and a power of two near the maximum is a bound of the exponent.
      constexpr std::uint32_t kSmall = 33;
      if (!is_same && value < kSmall && format.largest > kSmall) continue;
      statement::Judgement judgement{
          .verdict = is_same ? statement::Verdict::kSupported : statement::Verdict::kContradicted,
          .code = "number/ungrounded",
          .kind = "field fact",
          .text = std::string(text.substr(number, stop - number)),
          .message = "the table of the field agrees",
          .where = Show(format.receipts),
          .reason = "compared with sibyl's table of number formats"};
      if (!is_same) {
        judgement.nearest = std::to_string(format.largest);
        judgement.message =
            fmt::format("the largest value of {} is {}", format.name, format.largest);
      }
      judged.push_back({.judgement = std::move(judgement), .offset = number});
    }
  }
  return judged;
}

}  // namespace sibyl::audit
