// SPDX-License-Identifier: Apache-2.0
#include "support/card_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"

namespace sibyl::support {
namespace {

using cards::Card;

Sign SignOfValue(std::string_view value) {
  const std::string lower = LowerCase(Trim(value));
  constexpr std::array<std::string_view, 5> kOn = {"true", "on", "yes", "1", "enabled"};
  constexpr std::array<std::string_view, 5> kOff = {"false", "off", "no", "0", "disabled"};
  if (IsOneOf(lower, kOn)) return Sign::kOn;
  return IsOneOf(lower, kOff) ? Sign::kOff : Sign::kNone;
}

bool IsFrame(std::string_view part) {
  constexpr std::array<std::string_view, 19> kFrames = {
      "enabl", "enable", "use", "with", "is",  "do",     "default", "m",        "k", "flag",
      "opt",   "want",   "the", "has",  "cfg", "config", "should",  "_default", "en"};
  return IsOneOf(part, kFrames) || part.size() < 2;
}

bool IsNegativeName(std::string_view part) {
  constexpr std::array<std::string_view, 7> kNegative = {"disabl",  "disable", "no",   "skip",
                                                         "without", "not",     "ignor"};
  return IsOneOf(part, kNegative);
}

std::optional<Quantity> NumberOfValue(const std::string& value) {
  std::vector<Quantity> read = ReadQuantities(value, true);
  constexpr std::size_t kSuffix = 3;  // "4ULL"
  if (read.empty() || read[0].begin > 1 || read[0].in_name) return std::nullopt;
  const Quantity& whole = read.back().is_derived ? read.back() : read[0];
  if (whole.begin > 1 || whole.end + kSuffix < value.size()) return std::nullopt;
  return whole;
}

// "(4 * WARP_SIZE)", with the values of its names; nothing if one has none.
template <typename Find>
std::optional<Quantity> ValueOfNames(const std::string& text, Find find) {
  constexpr std::size_t kLongest = 200;
  if (text.size() > kLongest) return std::nullopt;
  std::string value;
  bool has_names = false;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsNameByte(text[end])) ++end;
    if (end == at || IsDigit(text[at])) {
      end = std::max(end, at + 1);
      value += text.substr(at, end - at);
    } else {
      const Quantity* named = find(LowerCase(text.substr(at, end - at)));
      if (named == nullptr) return std::nullopt;
      value += fmt::format("{}", named->digits);
      has_names = true;
    }
    at = end;
  }
  return has_names ? NumberOfValue(value) : std::nullopt;
}

std::string WordOfValue(const Card& card) {
  const std::string& value = card.value;
  const std::string lower = LowerCase(value);
  constexpr std::array<std::string_view, 7> kNothing = {"none",    "null", "nullptr", "auto",
                                                        "default", "self", "empty"};
  if (IsOneOf(lower, kNothing)) return {};
  // A text, or an enumerator.
  if (!card.is_text && card.kind != cards::CardKind::kDocumentation && card.choices.empty() &&
      value.find_first_of(".:") == std::string::npos &&
      std::any_of(value.begin(), value.end(), IsLower)) {
    return {};
  }
  const bool is_word = !value.empty() && std::all_of(value.begin(), value.end(), [](char c) {
    return IsNameByte(c) || c == '.' || c == ':' || c == '-';
  });
  if (!is_word || IsDigit(value[0])) return {};
  const std::size_t at = value.find_last_of(".:");
  return LowerCase(at == std::string::npos ? value : value.substr(at + 1));
}

void EvaluateNames(std::vector<ReadCard>& cards) {
  for (ReadCard& card : cards) {
    if (card.number || card.sign != Sign::kNone) continue;
    card.number = ValueOfNames(card.card->value, [&cards](const std::string& lower) {
      const auto named = std::find_if(cards.begin(), cards.end(), [&](const ReadCard& other) {
        return other.number && other.lower == lower;
      });
      return named == cards.end() ? nullptr : &*named->number;
    });
  }
  std::erase_if(cards, [](const ReadCard& card) {
    return card.sign == Sign::kNone && !card.number && card.word.empty();
  });
}

// A prefix that most of the names have tells nothing.
void DropSharedParts(std::vector<ReadCard>& cards) {
  constexpr std::size_t kFew = 3;
  std::map<std::string, std::size_t> counts;
  for (const ReadCard& card : cards) {
    for (const std::string& part : std::set<std::string>(card.parts.begin(), card.parts.end())) {
      ++counts[part];
    }
  }
  if (cards.size() < kFew) return;
  for (ReadCard& card : cards) {
    const auto is_shared = [&](const std::string& part) { return 2 * counts[part] > cards.size(); };
    // `spill` beside `spill_on_demand` is what they share.
    if (std::all_of(card.parts.begin(), card.parts.end(), is_shared)) continue;
    std::erase_if(card.parts, is_shared);
  }
}

}  // namespace

std::vector<ReadCard> ReadValues(const std::vector<Card>& definitions, Tokenizer& tokenizer) {
  std::vector<ReadCard> cards;
  constexpr std::size_t kMost = 200;
  for (const Card& card : definitions) {
    if (cards.size() >= kMost) break;
    ReadCard read = {.card = &card, .lower = LowerCase(card.name)};
    read.sign = SignOfValue(card.value);
    read.number = NumberOfValue(card.value);
    if (read.sign == Sign::kNone && !read.number) read.word = WordOfValue(card);
    const bool is_product = card.value.find_first_of("*/+<") != std::string::npos;
    if (read.sign == Sign::kNone && !read.number && read.word.empty() && !is_product) continue;
    const std::size_t letter = std::min(card.name.find_first_not_of('_'), card.name.size());
    for (const Token& token : tokenizer.OfSource(std::string_view(card.name).substr(letter))) {
      std::vector<std::string> parts = token.parts;
      if (parts.empty()) parts.push_back(token.stem);
      for (std::string& part : parts) {
        read.is_negative = read.is_negative || IsNegativeName(part);
        if (!IsFrame(part) && !IsNegativeName(part)) read.parts.push_back(std::move(part));
      }
    }
    cards.push_back(std::move(read));
  }
  EvaluateNames(cards);
  // A default that is given as one outranks "X=1" elsewhere in the lines.
  const std::vector<ReadCard> all = cards;
  std::erase_if(cards, [&](const ReadCard& card) {
    return card.card->kind == cards::CardKind::kAssignment &&
           std::any_of(all.begin(), all.end(), [&](const ReadCard& other) {
             return other.lower == card.lower && other.card->kind != cards::CardKind::kAssignment;
           });
  });
  DropSharedParts(cards);
  return cards;
}

std::vector<Quantity> CalculatedValues(const std::vector<Card>& cards) {
  constexpr std::size_t kMost = 200;
  std::map<std::string, Quantity> numbers;
  std::vector<Quantity> calculated;
  for (const Card& card : cards) {
    if (numbers.size() >= kMost) break;
    std::optional<Quantity> number = NumberOfValue(card.value);
    if (!number && card.value.find_first_of("*/+<") != std::string::npos) {
      number = ValueOfNames(card.value, [&](const std::string& lower) -> const Quantity* {
        const auto named = numbers.find(lower);
        return named == numbers.end() ? nullptr : &named->second;
      });
      if (number) calculated.push_back(*number);
    }
    if (number) numbers.emplace(LowerCase(card.name), *number);
  }
  return calculated;
}

}  // namespace sibyl::support
