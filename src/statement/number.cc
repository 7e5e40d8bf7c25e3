// SPDX-License-Identifier: Apache-2.0
#include "statement/number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::statement {
namespace {

constexpr double kKibi = 1024.0;
constexpr double kMebi = kKibi * 1024;
constexpr double kGibi = kMebi * 1024;
constexpr double kTebi = kGibi * 1024;

// Longest first where one begins with another.
constexpr std::array<Unit, 66> kUnits = {{
    {"TFLOP/s", Dimension::kFlops, 1e12},
    {"GFLOP/s", Dimension::kFlops, 1e9},
    {"PFLOP/s", Dimension::kFlops, 1e15},
    {"TFLOPS/s", Dimension::kFlops, 1e12},
    {"TFLOPS", Dimension::kFlops, 1e12},
    {"TFLOPs", Dimension::kFlops, 1e12},
    {"TFlops", Dimension::kFlops, 1e12},
    {"TFLOP", Dimension::kFlops, 1e12},
    {"GFLOPS", Dimension::kFlops, 1e9},
    {"GFLOPs", Dimension::kFlops, 1e9},
    {"PFLOPS", Dimension::kFlops, 1e15},
    {"PFLOPs", Dimension::kFlops, 1e15},
    {"teraflops", Dimension::kFlops, 1e12},
    {"petaflops", Dimension::kFlops, 1e15},
    {"TOP/s", Dimension::kOps, 1e12},
    {"TOPS", Dimension::kOps, 1e12},
    {"TB/sec", Dimension::kBytesPerSecond, 1e12},
    {"GB/sec", Dimension::kBytesPerSecond, 1e9},
    {"MB/sec", Dimension::kBytesPerSecond, 1e6},
    {"TiB/s", Dimension::kBytesPerSecond, kTebi},
    {"GiB/s", Dimension::kBytesPerSecond, kGibi},
    {"MiB/s", Dimension::kBytesPerSecond, kMebi},
    {"TB/s", Dimension::kBytesPerSecond, 1e12},
    {"GB/s", Dimension::kBytesPerSecond, 1e9},
    {"MB/s", Dimension::kBytesPerSecond, 1e6},
    {"KB/s", Dimension::kBytesPerSecond, 1e3},
    {"GBps", Dimension::kBytesPerSecond, 1e9},
    {"Tb/s", Dimension::kBitsPerSecond, 1e12},
    {"Gb/s", Dimension::kBitsPerSecond, 1e9},
    {"Gbps", Dimension::kBitsPerSecond, 1e9},
    {"Mbps", Dimension::kBitsPerSecond, 1e6},
    {"Gbit/s", Dimension::kBitsPerSecond, 1e9},
    {"TiB", Dimension::kBytes, kTebi},
    {"GiB", Dimension::kBytes, kGibi},
    {"MiB", Dimension::kBytes, kMebi},
    {"KiB", Dimension::kBytes, kKibi},
    {"TB", Dimension::kBytes, 1e12},
    {"GB", Dimension::kBytes, 1e9},
    {"MB", Dimension::kBytes, 1e6},
    {"KB", Dimension::kBytes, 1e3},
    {"kB", Dimension::kBytes, 1e3},
    {"bytes", Dimension::kBytes, 1},
    {"byte", Dimension::kBytes, 1},
    {"B", Dimension::kBytes, 1},
    {"GHz", Dimension::kHertz, 1e9},
    {"MHz", Dimension::kHertz, 1e6},
    {"kHz", Dimension::kHertz, 1e3},
    {"microseconds", Dimension::kSeconds, 1e-6},
    {"milliseconds", Dimension::kSeconds, 1e-3},
    {"nanoseconds", Dimension::kSeconds, 1e-9},
    {"seconds", Dimension::kSeconds, 1},
    {"second", Dimension::kSeconds, 1},
    {"minutes", Dimension::kSeconds, 60},
    {"minute", Dimension::kSeconds, 60},
    {"hours", Dimension::kSeconds, 3600},
    {"ns", Dimension::kSeconds, 1e-9},
    {"us", Dimension::kSeconds, 1e-6},
    {"\xC2\xB5s", Dimension::kSeconds, 1e-6},
    {"\xCE\xBCs", Dimension::kSeconds, 1e-6},
    {"ms", Dimension::kSeconds, 1e-3},
    {"W", Dimension::kWatts, 1},
    {"%", Dimension::kPercent, 1},
    {"\xC3\x97", Dimension::kTimes, 1},
    {"x", Dimension::kTimes, 1},
    {"bits", Dimension::kBits, 1},
    {"bit", Dimension::kBits, 1},
}};

// Countable nouns; other words after a number are not its unit.
constexpr std::array<std::string_view, 31> kNouns = {
    "core",  "thread", "warp",   "block",  "register",  "lane",    "bank",  "cycle",
    "sm",    "stage",  "layer",  "line",   "row",       "channel", "step",  "iteration",
    "gpu",   "node",   "device", "stream", "queue",     "slot",    "entry", "element",
    "token", "head",   "level",  "file",   "partition", "worker",  "cubin"};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<Number> Take() {
    for (std::size_t at = 0; at < text_.size();) {
      if (!IsDigit(text_[at])) {
        ++at;
        continue;
      }
      at = Read(at);
    }
    return std::move(numbers_);
  }

 private:
  // The digits from `at`, with thousands' commas and one point; where they end.
  std::optional<double> Digits(std::size_t& at) const {
    std::string digits;
    bool has_point = false;
    while (at < text_.size()) {
      const char c = text_[at];
      const bool digit_follows = at + 1 < text_.size() && IsDigit(text_[at + 1]);
      if (IsDigit(c)) {
        digits += c;
      } else if (c == ',' && digit_follows && !has_point && GroupOfThree(at + 1)) {
        // a thousand's comma
      } else if (c == '.' && digit_follows && !has_point) {
        has_point = true;
        digits += c;
      } else {
        break;
      }
      ++at;
    }
    if (digits.empty() || digits.size() > 18) return std::nullopt;
    // "12.4.1" is a version.
    if (at + 1 < text_.size() && text_[at] == '.' && IsDigit(text_[at + 1])) return std::nullopt;
    return std::strtod(digits.c_str(), nullptr);
  }

  bool GroupOfThree(std::size_t at) const {
    std::size_t count = 0;
    while (at + count < text_.size() && IsDigit(text_[at + count])) ++count;
    return count == 3;
  }

  std::size_t SkipRun(std::size_t at) const {
    while (at < text_.size() &&
           (IsDigit(text_[at]) || IsLetter(text_[at]) || text_[at] == '.' || text_[at] == '_')) {
      ++at;
    }
    return at;
  }

  std::size_t Read(std::size_t begin) {
    // Part of a name ("sm_90", "A100", "v2") or of something with dashes.
    if (begin > 0) {
      const char before = text_[begin - 1];
      if (IsLetter(before) || before == '_' || before == '#' || before == '/' ||
          (before == '-' && begin > 1 &&
           (IsLetter(text_[begin - 2]) || IsDigit(text_[begin - 2])))) {
        return SkipRun(begin);
      }
    }
    std::size_t at = begin;
    const std::optional<double> first = Digits(at);
    if (!first) return SkipRun(at);
    Number number = {.value = *first, .upper = *first, .digits = *first, .offset = begin};
    if (const std::size_t dash = DashAt(at); dash > 0 && at + dash < text_.size()) {
      std::size_t second_at = at + dash;
      if (IsDigit(text_[second_at])) {
        if (const std::optional<double> second = Digits(second_at); second && *second > *first) {
          number.upper = *second;
          at = second_at;
        }
      }
    }
    const std::size_t unit_at =
        at < text_.size() && (text_[at] == ' ' || text_[at] == '-') ? at + 1 : at;
    const std::optional<Unit> unit = UnitAt(text_, unit_at);
    // "2 x.py" and "4 x 4" are no multiples.
    const bool is_loose = unit && unit->dimension == Dimension::kTimes && unit_at != at;
    if (unit && !is_loose) {
      number.dimension = unit->dimension;
      number.value *= unit->factor;
      number.upper *= unit->factor;
      at = unit_at + unit->name.size();
    } else if (at < text_.size() && (IsLetter(text_[at]) || text_[at] == '_')) {
      return SkipRun(at);  // "3D", "4xlarge"
    } else {
      number.noun = NounAt(unit_at);
      if (number.noun.empty()) return at;
    }
    number.end = at;
    number.is_about = IsAbout(begin);
    numbers_.push_back(number);
    return at;
  }

  // "-" or an en dash between two numbers.
  std::size_t DashAt(std::size_t at) const {
    if (at < text_.size() && text_[at] == '-') return 1;
    return text_.substr(at).starts_with("\xE2\x80\x93") ? 3 : 0;
  }

  std::string NounAt(std::size_t at) const {
    // One adjective may be between: "4 Tensor Cores", "16 CUDA cores".
    for (int words = 0; words < 2 && at < text_.size(); ++words) {
      std::size_t end = at;
      while (end < text_.size() && IsLetter(text_[end])) ++end;
      if (end == at) return {};
      std::string word = LowerCase(text_.substr(at, end - at));
      if (word.size() > 2 && word.ends_with('s') && word != "sms") word.pop_back();
      if (word == "sms") word = "sm";
      if (word == "entrie") word = "entry";
      if (std::find(kNouns.begin(), kNouns.end(), word) != kNouns.end()) return word;
      if (end >= text_.size() || text_[end] != ' ') return {};
      at = end + 1;
    }
    return {};
  }

  bool IsAbout(std::size_t begin) const {
    const std::string before =
        LowerCase(text_.substr(begin < 16 ? 0 : begin - 16, std::min<std::size_t>(begin, 16)));
    constexpr std::array<std::string_view, 12> kMarks = {
        "~",       "about ", "roughly ", "up to ",       "over ", "around ", "approximately ",
        "nearly ", "under ", "than ",    "\xE2\x89\x88", "least "};
    return std::any_of(kMarks.begin(), kMarks.end(),
                       [&](std::string_view mark) { return before.ends_with(mark); });
  }

  std::string_view text_;
  std::vector<Number> numbers_;
};

bool Near(double a, double b) {
  const double scale = std::max(std::abs(a), std::abs(b));
  return scale == 0 || std::abs(a - b) / scale < 0.005;
}

}  // namespace

std::optional<Unit> UnitAt(std::string_view text, std::size_t at) {
  const Unit* best = nullptr;
  for (const Unit& unit : kUnits) {
    if (!text.substr(at).starts_with(unit.name)) continue;
    const std::size_t end = at + unit.name.size();
    const bool ends = end >= text.size() || !IsLetter(text[end]) || unit.name == "%";
    const bool is_name = end < text.size() && (IsDigit(text[end]) || text[end] == '_');
    if (!ends || is_name) continue;
    if (best == nullptr || unit.name.size() > best->name.size()) best = &unit;
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

std::vector<Number> ReadNumbers(std::string_view text) { return Reader(text).Take(); }

bool SameMeasure(const Number& a, const Number& b) {
  return a.dimension == b.dimension && (a.dimension != Dimension::kNone || a.noun == b.noun);
}

bool SameQuantity(const Number& a, const Number& b) {
  if (!SameMeasure(a, b)) return false;
  if (Near(a.value, b.value) && Near(a.upper, b.upper)) return true;
  // GB for GiB, TB for TiB: at most a tenth apart.
  const auto is_alike = [](double one, double other) {
    const double smaller = std::min(one, other);
    return smaller > 0 && std::max(one, other) / smaller < 1.1;
  };
  return a.digits == b.digits && is_alike(a.value, b.value) && is_alike(a.upper, b.upper);
}

}  // namespace sibyl::statement
