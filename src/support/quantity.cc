// SPDX-License-Identifier: Apache-2.0
#include "support/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::support {
namespace {

using statement::Dimension;

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

bool Near(double a, double b) {
  const double scale = std::max(std::abs(a), std::abs(b));
  return scale == 0 || std::abs(a - b) <= scale * 1e-6;
}

// Given with fewer digits: "1.5 ms" of 1.493 is not meant; "50 MB" of 52,428,800
// is, since K may be 1000 or 1024.
bool NearBytes(double a, double b) {
  if (Near(a, b)) return true;
  const double small = std::min(a, b);
  return small > 0 && [&] {
    for (const double ratio : {1.024, 1.048576, 1.073741824, 1.099511627776}) {
      if (Near(std::max(a, b), small * ratio)) return true;
    }
    return false;
  }();
}

// Of one text. Statements and cited lines have few; tables of numbers are cut.
constexpr std::size_t kMostQuantities = 1000;

class Reader {
 public:
  Reader(std::string_view text, bool is_source) : text_(text), is_source_(is_source) {}

  std::vector<Quantity> Take() {
    for (std::size_t at = 0; at < text_.size() && found_.size() < kMostQuantities;) {
      if (IsDigit(text_[at])) {
        at = Digits(at);
      } else if (IsLetter(text_[at]) && (at == 0 || !IsNameByte(text_[at - 1]))) {
        at = Word(at);
      } else {
        ++at;
      }
    }
    if (is_source_) Derive();
    return std::move(found_);
  }

 private:
  std::size_t Word(std::size_t begin) {
    std::size_t end = begin;
    while (end < text_.size() && IsLetter(text_[end])) ++end;
    if (end < text_.size() && IsNameByte(text_[end])) return end;
    const std::string lower = LowerCase(text_.substr(begin, end - begin));
    // "ZeRO" is a name.
    const bool is_name = std::any_of(text_.begin() + static_cast<std::ptrdiff_t>(begin) + 1,
                                     text_.begin() + static_cast<std::ptrdiff_t>(end), IsUpper);
    if (is_name) return end;
    const auto known = std::find_if(kNumberWords.begin(), kNumberWords.end(),
                                    [&](const NumberWord& word) { return word.word == lower; });
    if (known != kNumberWords.end()) {
      constexpr double kFirstTen = 20;
      constexpr double kLastTen = 90;
      const bool is_ten = known->value >= kFirstTen && known->value <= kLastTen;
      if (is_ten && end < text_.size() && text_[end] == '-') {
        for (const NumberWord& unit : kNumberWords) {
          const bool fits = unit.value >= 1 && unit.value <= 9 &&
                            StartsWithIgnoringCase(text_.substr(end + 1), unit.word);
          if (!fits) continue;
          Quantity both = {.digits = known->value + unit.value, .value = known->value + unit.value};
          both.is_word = true;
          both.begin = begin;
          both.end = end + 1 + unit.word.size();
          AddUnit(both, both.end);
          const std::size_t next = both.end;
          found_.push_back(std::move(both));
          return next;
        }
      }
      Quantity quantity = {.digits = known->value, .value = known->value};
      quantity.is_word = true;
      quantity.begin = begin;
      quantity.end = end;
      AddUnit(quantity, end);
      found_.push_back(std::move(quantity));
    }
    return end;
  }

  std::size_t Digits(std::size_t begin) {
    Quantity quantity;
    quantity.begin = begin;
    std::size_t end = begin;
    quantity.in_name = begin > 0 && (IsLetter(text_[begin - 1]) || text_[begin - 1] == '_');
    // "ZeRO-2", but not "-2" and not "4-2"
    quantity.in_name = quantity.in_name || (!is_source_ && begin > 1 && text_[begin - 1] == '-' &&
                                            IsLetter(text_[begin - 2]));
    if (text_.substr(begin).starts_with("0x") || text_.substr(begin).starts_with("0X")) {
      end = begin + 2;
      while (end < text_.size() && HexValue(text_[end]) >= 0) ++end;
      quantity.digits = std::strtod(std::string(text_.substr(begin, end - begin)).c_str(), nullptr);
    } else {
      std::string digits;
      std::size_t points = 0;
      while (end < text_.size()) {
        const char c = text_[end];
        const bool follows = end + 1 < text_.size() && IsDigit(text_[end + 1]);
        if (IsDigit(c)) {
          digits += c;
        } else if ((c == ',' || c == '\'') && follows && points == 0 && GroupOfThree(end + 1) &&
                   digits.size() <= 3 + 3 * groups_) {
          ++groups_;
        } else if (c == '_' && follows && !quantity.in_name && GroupOfThree(end + 1)) {
          // 1_000_000 in Python
        } else if (c == '.' && follows && (!quantity.in_name || text_[begin - 1] == '-')) {
          ++points;
          digits += c;
        } else {
          break;
        }
        ++end;
      }
      groups_ = 0;
      constexpr std::size_t kMostDigits = 24;
      if (digits.size() > kMostDigits) return end;
      if (points > 0) quantity.version = digits;
      // "1e-5"
      if (end + 1 < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
        std::size_t after = end + 1;
        if (text_[after] == '-' || text_[after] == '+') ++after;
        if (after < text_.size() && IsDigit(text_[after]) && !quantity.in_name) {
          while (after < text_.size() && IsDigit(text_[after])) ++after;
          digits += text_.substr(end, after - end);
          quantity.version.clear();
          end = after;
        }
      }
      quantity.digits = std::strtod(digits.c_str(), nullptr);
    }
    quantity.value = quantity.digits;
    quantity.end = end;
    AddUnit(quantity, end);
    found_.push_back(quantity);
    // What is attached is not read as another number: "100ULL", "2x4" is.
    return std::max(end, quantity.end);
  }

  bool GroupOfThree(std::size_t at) const {
    std::size_t count = 0;
    while (at + count < text_.size() && IsDigit(text_[at + count])) ++count;
    return count == 3;
  }

  void AddUnit(Quantity& quantity, std::size_t at) {
    std::size_t unit_at = at;
    while (unit_at < text_.size() && unit_at < at + 2 &&
           (text_[unit_at] == ' ' || text_[unit_at] == '-')) {
      ++unit_at;
    }
    if (is_source_ && unit_at < text_.size() &&
        (text_[unit_at] == '\n' || text_[unit_at] == '\r')) {
      unit_at = std::min(text_.find_first_not_of(" \t\r\n/*#!", unit_at), text_.size());
    }
    if (quantity.is_word && text_.substr(unit_at).starts_with("a ")) unit_at += 2;
    std::optional<statement::Unit> unit = statement::UnitAt(text_, unit_at);
    if (!unit) unit = LongUnit(unit_at);
    if (!unit && is_source_ && unit_at == at) AddSuffix(quantity, at);
    const bool is_loose =
        unit && unit->name == "x" &&
        (unit_at != at || (unit_at + 1 < text_.size() && IsDigit(text_[unit_at + 1])));
    if (unit && !is_loose && !quantity.in_name) {
      quantity.dimension = unit->dimension;
      quantity.value = quantity.digits * unit->factor;
      quantity.end = unit_at + unit->name.size();
      return;
    }
    std::size_t end = unit_at;
    while (end < text_.size() && IsLetter(text_[end])) ++end;
    quantity.noun = LowerCase(text_.substr(unit_at, end - unit_at));
  }

  // "8G", "15m" of scripts and tables: a size or a time, if the statement says so.
  void AddSuffix(Quantity& quantity, std::size_t at) const {
    if (at >= text_.size() || (at + 1 < text_.size() && IsNameByte(text_[at + 1]))) return;
    switch (text_[at]) {
      case 'k':
      case 'K':
        quantity.suffix = 1024;
        break;
      case 'm':
      case 'M':
        quantity.suffix = 1048576;
        quantity.minutes = text_[at] == 'm';
        break;
      case 'g':
      case 'G':
        quantity.suffix = 1073741824;
        break;
      default:
        break;
    }
  }

  std::optional<statement::Unit> LongUnit(std::size_t at) const {
    constexpr std::array<statement::Unit, 21> kLong = {{
        {"percent", Dimension::kPercent, 1},
        {"per cent", Dimension::kPercent, 1},
        {"kilobytes", Dimension::kBytes, 1024},
        {"megabytes", Dimension::kBytes, 1048576},
        {"gigabytes", Dimension::kBytes, 1073741824},
        {"Kb", Dimension::kBytes, 1024},
        {"kb", Dimension::kBytes, 1024},
        {"Mb", Dimension::kBytes, 1048576},
        {"mb", Dimension::kBytes, 1048576},
        {"gb", Dimension::kBytes, 1073741824},
        {"times", Dimension::kTimes, 1},
        {"s", Dimension::kSeconds, 1},
        {"microsecond", Dimension::kSeconds, 1e-6},
        {"millisecond", Dimension::kSeconds, 1e-3},
        {"nanosecond", Dimension::kSeconds, 1e-9},
        {"hour", Dimension::kSeconds, 3600},
        {"min", Dimension::kSeconds, 60},
        {"mins", Dimension::kSeconds, 60},
        {"sec", Dimension::kSeconds, 1},
        {"secs", Dimension::kSeconds, 1},
        {"msec", Dimension::kSeconds, 1e-3},
    }};
    for (const statement::Unit& unit : kLong) {
      const std::size_t end = at + unit.name.size();
      if (text_.substr(at).starts_with(unit.name) &&
          (end >= text_.size() || !IsNameByte(text_[end]))) {
        return unit;
      }
    }
    return std::nullopt;
  }

  // 32 * 1024 * 1024; 1 << 20; 2 ** 10
  void Derive() {
    const std::size_t count = found_.size();
    constexpr std::size_t kMost = 4096;
    for (std::size_t i = 0; i + 1 < count && found_.size() < kMost; ++i) {
      double value = found_[i].digits;
      std::size_t last = i;
      for (std::size_t j = i + 1; j < count && j < i + 6; ++j) {
        const std::size_t from = found_[j - 1].end;
        if (found_[j].begin < from) break;
        std::string_view between = text_.substr(from, found_[j].begin - from);
        while (!between.empty() && IsLetter(between[0])) between.remove_prefix(1);  // 1ULL << 20
        between = Trim(between);
        if (between == "*" || between == "x" || between == "×") {
          value *= found_[j].digits;
        } else if (between == "<<" && found_[j].digits < 63) {
          value *= std::exp2(found_[j].digits);
        } else if (between == "**" || between == "^") {
          value = std::pow(value, found_[j].digits);
        } else if (between == "+") {
          value += found_[j].digits;
        } else if (between == "-") {
          value -= found_[j].digits;
        } else if (between == "/" && found_[j].digits != 0) {
          value /= found_[j].digits;
        } else if (between == ">>" && found_[j].digits < 63) {
          value = std::floor(value / std::exp2(found_[j].digits));
        } else {
          break;
        }
        last = j;
      }
      if (last == i) continue;
      Quantity derived = {.digits = value, .value = value};
      derived.is_derived = true;
      derived.begin = found_[i].begin;
      derived.end = found_[last].end;
      found_.push_back(std::move(derived));
      i = last - 1;
    }
  }

  std::string_view text_;
  bool is_source_;
  std::size_t groups_ = 0;
  std::vector<Quantity> found_;
};

// 9.0 as 90, 900, 9000 and 90000: sm_90, __CUDA_ARCH__ 900, CUDART_VERSION 9000.
bool IsVersionCode(const std::string& version, double code) {
  const std::size_t point = version.find('.');
  if (point == std::string::npos || version.find('.', point + 1) != std::string::npos) return false;
  const double major = std::strtod(version.substr(0, point).c_str(), nullptr);
  const double minor = std::strtod(version.substr(point + 1).c_str(), nullptr);
  return Near(code, major * 10 + minor) || Near(code, major * 100 + minor * 10) ||
         Near(code, major * 1000 + minor * 10) || Near(code, major * 10000 + minor * 100) ||
         Near(code, major * 100 + minor);
}

bool IsTime(Dimension dimension) { return dimension == Dimension::kSeconds; }

QuantityFit CompareBare(const Quantity& with_unit, const Quantity& bare, const UnitHints& hints) {
  const double value = with_unit.value;
  if (bare.suffix > 0 && with_unit.dimension == Dimension::kBytes) {
    return NearBytes(value, bare.digits * bare.suffix) ? QuantityFit::kSame : QuantityFit::kNone;
  }
  if (bare.minutes && IsTime(with_unit.dimension)) {
    return Near(value, bare.digits * 60) ? QuantityFit::kSame : QuantityFit::kNone;
  }
  switch (with_unit.dimension) {
    case Dimension::kPercent:
      if (Near(value / 100, bare.digits)) return QuantityFit::kSame;
      break;
    case Dimension::kBytes: {
      if (NearBytes(value, bare.digits)) return QuantityFit::kSame;
      if (hints.kilo && NearBytes(value / 1024, bare.digits)) return QuantityFit::kSame;
      if (hints.mega && NearBytes(value / 1048576, bare.digits)) return QuantityFit::kSame;
      if (hints.giga && NearBytes(value / 1073741824, bare.digits)) return QuantityFit::kSame;
      break;
    }
    case Dimension::kSeconds:
      if (hints.milli && Near(value * 1e3, bare.digits)) return QuantityFit::kSame;
      if (hints.micro && Near(value * 1e6, bare.digits)) return QuantityFit::kSame;
      if (hints.nano && Near(value * 1e9, bare.digits)) return QuantityFit::kSame;
      if (Near(value, bare.digits)) {
        return hints.milli || hints.micro || hints.nano ? QuantityFit::kDoubtful
                                                        : QuantityFit::kSame;
      }
      if (Near(value * 1e3, bare.digits)) return QuantityFit::kDoubtful;
      break;
    case Dimension::kBits:
    case Dimension::kTimes:
    case Dimension::kNone:
      if (Near(with_unit.digits, bare.digits)) return QuantityFit::kSame;
      break;
    default:
      break;
  }
  if (Near(with_unit.digits, bare.digits)) {
    const bool is_sure = !IsTime(with_unit.dimension) && with_unit.dimension != Dimension::kBytes;
    return is_sure ? QuantityFit::kSame : QuantityFit::kDoubtful;
  }
  return QuantityFit::kNone;
}

}  // namespace

std::vector<Quantity> ReadQuantities(std::string_view text, bool is_source) {
  return Reader(text, is_source).Take();
}

UnitHints ReadUnitHints(std::string_view text) {
  const std::string lower = LowerCase(text);
  const auto has = [&lower](std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
      for (std::size_t at = lower.find(word); at != std::string::npos;
           at = lower.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !IsLetter(lower[at - 1])) &&
            (end == lower.size() || !IsLetter(lower[end]))) {
          return true;
        }
      }
      return false;
    });
  };
  return {.kilo = has({"kb", "kib", "kilobytes", "kbytes"}),
          .mega = has({"mb", "mib", "megabytes", "mbytes"}),
          .giga = has({"gb", "gib", "gigabytes", "gbytes"}),
          .milli = has({"ms", "msec", "millis", "millisecond", "milliseconds"}),
          .micro = has({"us", "usec", "usecs", "micros", "microsecond", "microseconds"}),
          .nano = has({"ns", "nsec", "nanos", "nanosecond", "nanoseconds"}),
          .seconds = has({"s", "sec", "secs", "second", "seconds"})};
}

QuantityFit Compare(const Quantity& said, const Quantity& source, const UnitHints& hints) {
  if (!said.version.empty() && !source.version.empty() && said.version == source.version &&
      said.dimension == source.dimension) {
    return QuantityFit::kSame;
  }
  if (said.version.find('.') != said.version.rfind('.')) {
    // Of 12.4.1, "12.4" is not the same.
    return QuantityFit::kNone;
  }
  if (!said.version.empty() && source.version.empty() &&
      IsVersionCode(said.version, source.digits)) {
    return QuantityFit::kSame;
  }
  if (!source.version.empty() && said.in_name && IsVersionCode(source.version, said.digits)) {
    return QuantityFit::kSame;
  }
  if (said.dimension == Dimension::kNone && source.dimension != Dimension::kNone) {
    return Near(said.digits, source.digits) || Near(said.digits, source.value) ? QuantityFit::kSame
                                                                               : QuantityFit::kNone;
  }
  if (said.dimension == source.dimension) {
    if (said.dimension == Dimension::kBytes) {
      return NearBytes(said.value, source.value) ? QuantityFit::kSame : QuantityFit::kNone;
    }
    return Near(said.value, source.value) ? QuantityFit::kSame : QuantityFit::kNone;
  }
  if (source.dimension == Dimension::kNone) return CompareBare(said, source, hints);
  if (said.dimension == Dimension::kBits && source.dimension == Dimension::kBytes) {
    return Near(said.value, source.value * 8) ? QuantityFit::kSame : QuantityFit::kNone;
  }
  if (said.dimension == Dimension::kBytes && source.dimension == Dimension::kBits) {
    return Near(said.value * 8, source.value) ? QuantityFit::kSame : QuantityFit::kNone;
  }
  if (said.dimension == Dimension::kTimes || source.dimension == Dimension::kTimes) {
    return Near(said.digits, source.digits) ? QuantityFit::kSame : QuantityFit::kNone;
  }
  return QuantityFit::kNone;
}

QuantityMatch Match(const Quantity& said, const std::vector<Quantity>& source,
                    const UnitHints& hints) {
  QuantityMatch best;
  for (const Quantity& quantity : source) {
    const QuantityFit fit = Compare(said, quantity, hints);
    if (fit == QuantityFit::kSame) return {.fit = fit, .source = &quantity};
    if (fit == QuantityFit::kDoubtful) best = {.fit = fit, .source = &quantity};
  }
  if (best.source != nullptr) return best;
  // (9, 0) for 9.0; "-eq 11 -a … -ge 8" for 11.8.
  const std::size_t point = said.version.find('.');
  if (point != std::string::npos) {
    const double major = std::strtod(said.version.c_str(), nullptr) >= 0
                             ? std::strtod(said.version.substr(0, point).c_str(), nullptr)
                             : 0;
    const double minor = std::strtod(said.version.substr(point + 1).c_str(), nullptr);
    for (std::size_t i = 0; i + 1 < source.size(); ++i) {
      if (source[i].is_derived || !Near(source[i].digits, major)) continue;
      if (Near(source[i + 1].digits, minor) && !source[i + 1].is_derived) {
        return {.fit = QuantityFit::kDoubtful, .source = &source[i]};
      }
    }
  }
  return best;
}

}  // namespace sibyl::support
