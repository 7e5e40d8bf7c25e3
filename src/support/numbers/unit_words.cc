// SPDX-License-Identifier: Apache-2.0
#include "support/numbers/unit_words.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace sibyl::support {
namespace {

// Units of time and size that are written as words, by how many of them make one.
struct UnitWord {
  std::string_view word;
  int scale = 0;  // of time: -3 nano … 2 hours; of size: 10 bytes, 11 kilo … 13 giga
};
constexpr std::array<UnitWord, 36> kUnitWords = {{
    {"bytes", 10},  {"nanosecond", -3},  {"nanoseconds", -3},  {"ns", -3},
    {"nsec", -3},   {"microsecond", -2}, {"microseconds", -2}, {"us", -2},
    {"usec", -2},   {"usecs", -2},       {"millisecond", -1},  {"milliseconds", -1},
    {"ms", -1},     {"msec", -1},        {"msecs", -1},        {"millis", -1},
    {"seconds", 0}, {"sec", 0},          {"secs", 0},          {"minutes", 1},
    {"mins", 1},    {"hours", 2},        {"kilobytes", 11},    {"kb", 11},
    {"kib", 11},    {"kibibytes", 11},   {"megabytes", 12},    {"mb", 12},
    {"mib", 12},    {"mebibytes", 12},   {"gigabytes", 13},    {"gb", 13},
    {"gib", 13},    {"gibibytes", 13},   {"days", 3},          {"weeks", 4},
}};

const UnitWord* UnitOf(std::string_view lower) {
  const auto* const found = std::find_if(kUnitWords.begin(), kUnitWords.end(),
                                         [&](const UnitWord& unit) { return unit.word == lower; });
  return found == kUnitWords.end() ? nullptr : found;
}

// Of "0.4 s", "16 KB"; nothing without a unit of time or size.
std::optional<int> ScaleOf(const Quantity& quantity) {
  struct Step {
    double most;
    int scale;
  };
  constexpr std::array<Step, 6> kTimes = {
      {{5e-9, -3}, {5e-6, -2}, {5e-3, -1}, {5, 0}, {90, 1}, {4000, 2}}};
  constexpr std::array<Step, 4> kBytes = {{{2, 10}, {2000, 11}, {2e6, 12}, {2e9, 13}}};
  if (quantity.digits <= 0 || quantity.in_name || quantity.is_derived) return std::nullopt;
  const double factor = quantity.value / quantity.digits;
  const auto find = [factor](const auto& steps) -> std::optional<int> {
    for (const Step& step : steps) {
      if (factor <= step.most) return step.scale;
    }
    return std::nullopt;
  };
  if (quantity.dimension == statement::Dimension::kSeconds) return find(kTimes);
  if (quantity.dimension == statement::Dimension::kBytes) return find(kBytes);
  return std::nullopt;
}

}  // namespace

std::string OtherUnitWord(const ReadStatement& read, const EvidenceText& evidence) {
  constexpr int kSizes = 9;
  for (std::size_t i = 0; i < read.tokens.size(); ++i) {
    const UnitWord* said = read.tokens[i].in_code ? nullptr : UnitOf(read.tokens[i].lower);
    if (said == nullptr || said->word.size() < 3) continue;
    const bool has_number =
        std::any_of(read.numbers.begin(), read.numbers.end(), [&](const Quantity& number) {
          return number.begin < read.tokens[i].end && read.tokens[i].begin < number.end + 2;
        });
    if (has_number) continue;
    bool is_there = false;
    bool has_other = false;
    for (const Token& token : evidence.tokens()) {
      const auto take = [&](const std::string& word) {
        const UnitWord* unit = UnitOf(word);
        if (unit == nullptr || (unit->scale > kSizes) != (said->scale > kSizes)) return;
        (unit->scale == said->scale ? is_there : has_other) = true;
      };
      take(token.lower);
      for (const std::string& part : token.parts) take(part);
    }
    for (const Quantity& quantity : evidence.quantities()) {
      const std::optional<int> scale = ScaleOf(quantity);
      if (!scale || (*scale > kSizes) != (said->scale > kSizes)) continue;
      (*scale == said->scale ? is_there : has_other) = true;
    }
    if (has_other && !is_there && read.grounds[i].ground == Ground::kNone) {
      return read.tokens[i].lower;
    }
  }
  return {};
}

bool IsOtherTime(const Quantity& said, const ReadStatement& read, const EvidenceText& evidence) {
  if (said.dimension != statement::Dimension::kSeconds) return false;
  const auto unit = std::find_if(read.tokens.begin(), read.tokens.end(), [&](const Token& token) {
    return token.begin > said.begin && token.begin < said.end + 2 && UnitOf(token.lower) != nullptr;
  });
  if (unit == read.tokens.end()) return false;
  const int scale = UnitOf(unit->lower)->scale;
  bool has_other = false;
  for (const Token& token : evidence.tokens()) {
    const auto is_same = [&](const std::string& word) {
      const UnitWord* there = UnitOf(word);
      if (there == nullptr && word.size() > 2) there = UnitOf(word + "s");  // `time.Second`
      if (there == nullptr || there->scale > 9) return false;
      has_other = has_other || there->scale != scale;
      return there->scale == scale;
    };
    if (is_same(token.lower) || std::any_of(token.parts.begin(), token.parts.end(), is_same)) {
      return false;
    }
  }
  return has_other;
}

}  // namespace sibyl::support
