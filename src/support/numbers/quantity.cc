// SPDX-License-Identifier: Apache-2.0
#include "support/numbers/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"
#include "support/numbers/number_words.h"

namespace sibyl::support {
namespace {

using statement::Dimension;

// Of one text. Statements and cited lines have few; tables of numbers are cut.
constexpr std::size_t kMostQuantities = 1000;

// Units that statement/number.h does not know: in full, or written otherwise.
constexpr std::array<statement::Unit, 39> kLongUnits = {{
    {"percent", Dimension::kPercent, 1},
    {"per cent", Dimension::kPercent, 1},
    {"kilobytes", Dimension::kBytes, 1024},
    {"megabytes", Dimension::kBytes, 1048576},
    {"gigabytes", Dimension::kBytes, 1073741824},
    {"kibibytes", Dimension::kBytes, 1024},
    {"mebibytes", Dimension::kBytes, 1048576},
    {"gibibytes", Dimension::kBytes, 1073741824},
    {"kilobyte", Dimension::kBytes, 1024},
    {"megabyte", Dimension::kBytes, 1048576},
    {"gigabyte", Dimension::kBytes, 1073741824},
    {"kibibyte", Dimension::kBytes, 1024},
    {"mebibyte", Dimension::kBytes, 1048576},
    {"gibibyte", Dimension::kBytes, 1073741824},
    {"hrs", Dimension::kSeconds, 3600},
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
    {"Hz", Dimension::kHertz, 1},
    {"hertz", Dimension::kHertz, 1},
    {"Khz", Dimension::kHertz, 1e3},
    {"khz", Dimension::kHertz, 1e3},
    {"Mhz", Dimension::kHertz, 1e6},
    {"mhz", Dimension::kHertz, 1e6},
    {"Ghz", Dimension::kHertz, 1e9},
    {"ghz", Dimension::kHertz, 1e9},
}};

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
    if (is_source_) {
      Derive();
      DeriveVersions();
    }
    return std::move(found_);
  }

 private:
  std::size_t Word(std::size_t begin) {
    std::size_t end = begin;
    while (end < text_.size() && IsLetter(text_[end])) ++end;
    if (end < text_.size() && IsNameByte(text_[end])) return end;
    const std::optional<NumberWords> number = NumberWordsAt(text_, begin);
    if (!number) return end;
    Quantity quantity = {.digits = number->value, .value = number->value};
    quantity.is_word = true;
    quantity.begin = begin;
    quantity.end = number->end;
    quantity.last_digit = LastDigitOf(quantity.digits);
    AddUnit(quantity, quantity.end);
    if (!is_source_) quantity.rounding = RoundingBefore(text_, begin);
    end = quantity.end;
    found_.push_back(std::move(quantity));
    return end;
  }

  // Zeros at the end of a whole number may be rounded ones: 100 of 5400.
  static double LastDigitOf(double whole) {
    double last = 1;
    constexpr double kTen = 10;
    while (whole > 0 && last < whole && std::fmod(whole, last * kTen) == 0) last *= kTen;
    return last;
  }

  // The same of a number as it is written; 3.39e+38 is given in steps of 1e36.
  static double LastDigitOf(const std::string& digits, std::size_t mantissa) {
    const std::size_t point = digits.find('.');
    if (point == std::string::npos) return LastDigitOf(std::strtod(digits.c_str(), nullptr));
    const double step = std::pow(10, -static_cast<double>(mantissa - point - 1));
    if (mantissa == digits.size()) return step;
    return step * std::strtod(("1" + digits.substr(mantissa)).c_str(), nullptr);
  }

  // "ZeRO-2", "UTF-8", but not "-2", "4-2" and "n-2" of code
  bool IsInName(std::size_t begin) const {
    if (begin > 0 && (IsLetter(text_[begin - 1]) || text_[begin - 1] == '_')) return true;
    return begin > 1 && text_[begin - 1] == '-' &&
           (is_source_ ? IsUpper(text_[begin - 2]) && begin > 2 && IsUpper(text_[begin - 3])
                       : IsLetter(text_[begin - 2]));
  }

  std::size_t Digits(std::size_t begin) {
    Quantity quantity;
    quantity.begin = begin;
    std::size_t end = begin;
    quantity.in_name = IsInName(begin);
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
      const std::size_t mantissa = digits.size();
      if (const std::size_t after = ExponentEnd(end); after > end && !quantity.in_name) {
        digits += text_.substr(end, after - end);
        quantity.version.clear();
        end = after;
      }
      quantity.digits = std::strtod(digits.c_str(), nullptr);
      quantity.last_digit = LastDigitOf(digits, mantissa);
      end = AddPower(quantity, AddScale(quantity, end));
    }
    quantity.value = quantity.digits;
    quantity.end = end;
    if (!is_source_) {
      quantity.rounding = RoundingBefore(text_, begin);
      quantity.in_product = begin > 1 && text_[begin - 1] == ' ' && text_[begin - 2] == '*';
    }
    AddUnit(quantity, end);
    found_.push_back(quantity);
    // What is attached is not read as another number: "100ULL", "2x4" is.
    return std::max(end, quantity.end);
  }

  // The end of the "e-5" of "1e-5"; `at` if there is none.
  std::size_t ExponentEnd(std::size_t at) const {
    if (at + 1 >= text_.size() || (text_[at] != 'e' && text_[at] != 'E')) return at;
    std::size_t after = at + 1;
    if (text_[after] == '-' || text_[after] == '+') ++after;
    if (after >= text_.size() || !IsDigit(text_[after])) return at;
    while (after < text_.size() && IsDigit(text_[after])) ++after;
    return after;
  }

  // "²", "⁻⁸": the exponent that begins here, and its end; nothing if there is none.
  std::optional<std::pair<double, std::size_t>> Superscript(std::size_t at) const {
    constexpr std::array<std::string_view, 10> kDigits = {"⁰", "¹", "²", "³", "⁴",
                                                          "⁵", "⁶", "⁷", "⁸", "⁹"};
    constexpr std::string_view kMinus = "⁻";
    constexpr std::size_t kMostDigits = 3;
    const bool is_negative = text_.substr(at).starts_with(kMinus);
    if (is_negative) at += kMinus.size();
    double value = 0;
    std::size_t count = 0;
    for (bool found = true; found && count < kMostDigits;) {
      found = false;
      for (std::size_t digit = 0; digit < kDigits.size(); ++digit) {
        if (!text_.substr(at).starts_with(kDigits[digit])) continue;
        value = value * 10 + static_cast<double>(digit);
        at += kDigits[digit].size();
        ++count;
        found = true;
        break;
      }
    }
    if (count == 0) return std::nullopt;
    return std::pair{is_negative ? -value : value, at};
  }

  // "^-24", "**20", " << 20" of a statement; a source's are derived.
  std::optional<std::pair<double, std::size_t>> WrittenExponent(std::size_t at,
                                                                std::string_view sign) const {
    if (is_source_ || !text_.substr(at).starts_with(sign)) return std::nullopt;
    at += sign.size();
    if (sign == "^" && text_.substr(at).starts_with('{')) ++at;
    const bool is_negative = text_.substr(at).starts_with('-');
    if (is_negative) ++at;
    double value = 0;
    std::size_t count = 0;
    while (at < text_.size() && IsDigit(text_[at]) && count < 3) {
      value = value * 10 + (text_[at] - '0');
      ++at;
      ++count;
    }
    if (count == 0) return std::nullopt;
    if (text_.substr(at).starts_with('}')) ++at;
    return std::pair{is_negative ? -value : value, at};
  }

  // 256², 10⁻⁸, 2^31-1, 2**20, 1 << 20
  std::size_t AddPower(Quantity& quantity, std::size_t end) const {
    if (quantity.in_name) return end;
    std::optional<std::pair<double, std::size_t>> power = Superscript(end);
    for (const std::string_view sign : {"^", "**"}) {
      if (!power) power = WrittenExponent(end, sign);
    }
    const std::optional<std::pair<double, std::size_t>> shift =
        power ? std::nullopt : WrittenExponent(end, " << ");
    if (!power && !shift) return end;
    quantity.digits =
        power ? std::pow(quantity.digits, power->first) : quantity.digits * std::exp2(shift->first);
    end = power ? power->second : shift->second;
    for (const std::string_view less : {"-1", " - 1", " − 1"}) {
      const std::size_t after = end + less.size();
      const bool is_whole = after >= text_.size() || !IsNameByte(text_[after]);
      if (!is_source_ && text_.substr(end).starts_with(less) && is_whole) {
        quantity.digits -= 1;
        end = after;
        break;
      }
    }
    quantity.version.clear();
    quantity.last_digit = 0;
    quantity.is_power = true;
    return end;
  }

  // "2.5 million"
  std::size_t AddScale(Quantity& quantity, std::size_t end) const {
    if (quantity.in_name) return end;
    const NumberWords scaled = WithScale({.value = quantity.digits, .end = end}, text_);
    if (scaled.end == end) return end;
    quantity.last_digit *= quantity.digits > 0 ? scaled.value / quantity.digits : 1;
    quantity.digits = scaled.value;
    quantity.version.clear();
    return scaled.end;
  }

  bool GroupOfThree(std::size_t at) const {
    std::size_t count = 0;
    while (at + count < text_.size() && IsDigit(text_[at + count])) ++count;
    return count == 3;
  }

  // A string literal that goes on in the next line is one text: "once every 60 "
  // "minutes".
  std::size_t AfterLiteral(std::size_t at) const {
    const char mark = at < text_.size() ? text_[at] : ' ';
    if (mark != '"' && mark != '\'') return at;
    const std::size_t next = text_.find_first_not_of(" \t\r\n", at + 1);
    const bool goes_on = next < text_.size() && text_[next] == mark &&
                         text_.substr(at, next - at).find('\n') != std::string_view::npos;
    if (!goes_on) return at;
    return std::min(text_.find_first_not_of(' ', next + 1), text_.size());
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
    if (is_source_) unit_at = AfterLiteral(unit_at);
    if (quantity.is_word && text_.substr(unit_at).starts_with("a ")) unit_at += 2;
    if (quantity.is_word && text_.substr(unit_at).starts_with("an ")) unit_at += 3;  // half an hour
    std::optional<statement::Unit> unit = statement::UnitAt(text_, unit_at);
    if (!unit) unit = LongUnit(unit_at);
    if (!unit && unit_at == at && !quantity.in_name) AddSuffix(quantity, at);
    const bool is_loose =
        unit && unit->name == "x" &&
        (unit_at != at || (unit_at + 1 < text_.size() && IsDigit(text_[unit_at + 1])));
    // "six 5090s"
    constexpr double kLongUnitsestTime = 1000;
    const bool is_plural = unit && unit->name == "s" && unit_at == at && !is_source_ &&
                           quantity.digits >= kLongUnitsestTime;
    if (unit && !is_loose && !is_plural && !quantity.in_name) {
      constexpr double kBillion = 1e9;
      if (unit->name == "B" && unit_at == at) quantity.suffix = kBillion;  // "7B" parameters
      quantity.dimension = unit->dimension;
      quantity.value = quantity.digits * unit->factor;
      quantity.end = unit_at + unit->name.size();
      return;
    }
    if (is_source_ && !quantity.in_name && UnitOfKey(quantity)) return;
    std::size_t end = unit_at;
    while (end < text_.size() && IsLetter(text_[end])) ++end;
    quantity.noun = LowerCase(text_.substr(unit_at, end - unit_at));
  }

  // "timeout-minutes: 180", "size_mb = 4", "delaySeconds: 60", "from_millis(20)":
  // the key has the unit.
  bool UnitOfKey(Quantity& quantity) const {
    constexpr std::size_t kLongUnitsestKey = 64;
    const std::size_t begin_of_key = quantity.begin - std::min(quantity.begin, kLongUnitsestKey);
    std::string_view before = text_.substr(begin_of_key, quantity.begin - begin_of_key);
    const auto trim_right = [&before] {
      while (!before.empty() &&
             (before.back() == ' ' || before.back() == '\t' || before.back() == '"')) {
        before.remove_suffix(1);
      }
    };
    trim_right();
    if (before.empty() || std::string_view(":=({").find(before.back()) == std::string_view::npos) {
      return false;
    }
    before.remove_suffix(1);
    trim_right();
    std::size_t begin = before.size();
    while (begin > 0 && (IsLetter(before[begin - 1]))) --begin;
    const bool is_part = begin > 0 && (before[begin - 1] == '_' || before[begin - 1] == '-');
    if (!is_part) begin = LastHump(before, begin);
    // A part of a longer key: "ms = 4" alone may be a name of anything.
    if (begin == before.size()) return false;
    const std::string_view part = before.substr(begin);
    const std::string lower = LowerCase(part);
    const std::optional<statement::Unit> unit = statement::UnitAt(lower, 0);
    const std::optional<statement::Unit> found = unit ? unit : Reader(lower, true).LongUnit(0);
    if (!found || found->name.size() != lower.size() || found->name == "x" ||
        (found->dimension != Dimension::kSeconds && found->dimension != Dimension::kBytes)) {
      return false;
    }
    quantity.dimension = found->dimension;
    quantity.value = quantity.digits * found->factor;
    return true;
  }

  // Where "Seconds" of "delaySeconds" and "MSecs" of "DurationMSecs" begins; the
  // end if the word has no other part.
  static std::size_t LastHump(std::string_view text, std::size_t begin) {
    std::size_t at = text.size();
    while (at > begin && IsLower(text[at - 1])) --at;
    while (at > begin && IsUpper(text[at - 1])) --at;
    return at > begin && at < text.size() ? at : text.size();
  }

  // "8G", "15m" of scripts and tables: a size, a time or a count.
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
    constexpr std::array<statement::Unit, 6> kPlural = {{
        {"KB", Dimension::kBytes, 1024},
        {"MB", Dimension::kBytes, 1048576},
        {"GB", Dimension::kBytes, 1073741824},
        {"KiB", Dimension::kBytes, 1024},
        {"MiB", Dimension::kBytes, 1048576},
        {"GiB", Dimension::kBytes, 1073741824},
    }};
    for (const statement::Unit& unit : kLongUnits) {
      const std::size_t end = at + unit.name.size();
      if (text_.substr(at).starts_with(unit.name) &&
          (end >= text_.size() || !IsNameByte(text_[end]))) {
        return unit;
      }
    }
    // "500 MBs"
    for (const statement::Unit& unit : kPlural) {
      const std::size_t end = at + unit.name.size();
      if (text_.substr(at).starts_with(unit.name) && end < text_.size() && text_[end] == 's' &&
          (end + 1 >= text_.size() || !IsNameByte(text_[end + 1]))) {
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
        // 2^{31}-1 of a formula, (1 << 20) - 1
        if (between.starts_with('}') || between.starts_with(')')) between.remove_prefix(1);
        between = Trim(between);
        if (between == "*" || between == "x" || between == "×") {
          value *= found_[j].digits;
        } else if (between == "<<" && found_[j].digits < 63) {
          value *= std::exp2(found_[j].digits);
        } else if (between == "**" || between == "^" || between == "^{") {
          value = std::pow(value, found_[j].digits);
          Push(i, j, value);  // of 2^31 - 1 also 2^31
        } else if (between == "**-" || between == "^-" || between == "^{-") {
          value = std::pow(value, -found_[j].digits);
          Push(i, j, value);
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
      for (std::size_t j = i; j <= last; ++j) found_[j].in_product = true;
      Push(i, last, value);
      i = last - 1;
    }
  }

  // "{10, 7}" of a capability, "MAJOR == 12 && MINOR >= 4": 10.7 and 12.4.
  void DeriveVersions() {
    const std::size_t count = found_.size();
    const bool has_minor = text_.find("INOR") != std::string_view::npos ||
                           text_.find("inor") != std::string_view::npos;
    for (std::size_t i = 0; i + 1 < count && found_.size() < 2 * kMostQuantities; ++i) {
      const Quantity& major = found_[i];
      const Quantity& minor = found_[i + 1];
      if (!IsPartOfVersion(major) || !IsPartOfVersion(minor) || minor.begin <= major.end) continue;
      const std::string_view between = text_.substr(major.end, minor.begin - major.end);
      const char open = major.begin > 0 ? text_[major.begin - 1] : ' ';
      const char close = minor.end < text_.size() ? text_[minor.end] : ' ';
      const bool is_pair = between == ", " && open == '{' && close == '}';
      if (!is_pair && (!has_minor || !AreMajorAndMinor(major, between))) continue;
      Quantity version = {.digits = major.digits, .value = major.digits};
      version.version = std::to_string(static_cast<int>(major.digits)) + "." +
                        std::to_string(static_cast<int>(minor.digits));
      version.digits = version.value = std::strtod(version.version.c_str(), nullptr);
      version.is_derived = true;
      version.begin = major.begin;
      version.end = minor.end;
      found_.push_back(std::move(version));
    }
  }

  static bool IsPartOfVersion(const Quantity& number) {
    constexpr double kMost = 100;
    return !number.in_name && !number.is_word && !number.is_derived && number.version.empty() &&
           number.dimension == Dimension::kNone && number.digits < kMost;
  }

  bool AreMajorAndMinor(const Quantity& major, std::string_view between) const {
    constexpr std::size_t kFarthest = 60;
    if (between.size() > kFarthest || between.find('\n') != std::string_view::npos) return false;
    const std::size_t from = major.begin - std::min<std::size_t>(major.begin, 24);
    return LowerCase(between).find("minor") != std::string::npos &&
           LowerCase(text_.substr(from, major.begin - from)).find("major") != std::string::npos;
  }

  // The value of an expression from the first of its numbers to the last.
  void Push(std::size_t first, std::size_t last, double value) {
    Quantity derived = {.digits = value, .value = value};
    derived.is_derived = true;
    derived.begin = found_[first].begin;
    derived.end = found_[last].end;
    found_.push_back(std::move(derived));
  }

  std::string_view text_;
  bool is_source_;
  std::size_t groups_ = 0;
  std::vector<Quantity> found_;
};

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
        // The unit of one number is not that of others.
        const std::size_t before = at > 0 && lower[at - 1] == ' ' ? at - 1 : at;
        if (before > 0 && IsDigit(lower[before - 1])) continue;
        if ((at == 0 || !IsLetter(lower[at - 1])) &&
            (end == lower.size() || !IsLetter(lower[end]))) {
          return true;
        }
      }
      return false;
    });
  };
  return {.bits = has({"bit", "bits", "nbits", "num_bits"}),
          .bytes = has({"byte", "bytes", "nbytes", "knbytes"}),
          .kilo = has({"kb", "kib", "kilobytes", "kbytes"}),
          .mega = has({"mb", "mib", "megabytes", "mbytes"}),
          .giga = has({"gb", "gib", "gigabytes", "gbytes"}),
          .milli = has({"ms", "msec", "millis", "millisecond", "milliseconds"}),
          .micro = has({"us", "usec", "usecs", "micros", "microsecond", "microseconds"}),
          .nano = has({"ns", "nsec", "nanos", "nanosecond", "nanoseconds"}),
          .seconds = has({"s", "sec", "secs", "second", "seconds"})};
}

}  // namespace sibyl::support
