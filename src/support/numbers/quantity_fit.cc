// SPDX-License-Identifier: Apache-2.0
// Whether two numbers mean the same.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "support/numbers/quantity.h"

namespace sibyl::support {
namespace {

using statement::Dimension;

bool Near(double a, double b) {
  constexpr double kExact = 9007199254740992;  // 2^53
  const double scale = std::max(std::abs(a), std::abs(b));
  // 2^31 is not 2^31 - 1.
  if (a == std::floor(a) && b == std::floor(b) && scale < kExact) return a == b;
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

// 9.0 as 90, 900, 9000 and 90000: sm_90, __CUDA_ARCH__ 900, CUDART_VERSION 9000.
bool IsVersionCode(const std::string& version, double code) {
  const std::size_t point = version.find('.');
  if (point == std::string::npos || version.find('.', point + 1) != std::string::npos) return false;
  const double major = std::strtod(version.substr(0, point).c_str(), nullptr);
  const double minor = std::strtod(version.substr(point + 1).c_str(), nullptr);
  if (major < 1) return false;  // 0.1 is not the 1 of `b1`
  return Near(code, major * 10 + minor) || Near(code, major * 100 + minor * 10) ||
         Near(code, major * 1000 + minor * 10) || Near(code, major * 10000 + minor * 100) ||
         Near(code, major * 100 + minor);
}

// "4K" counts 4000 things, or 4096.
bool IsCountWithSuffix(double count, const Quantity& with_suffix) {
  if (with_suffix.suffix == 0) return false;
  const double decimal = with_suffix.suffix < 2000 ? 1e3 : with_suffix.suffix < 2e6 ? 1e6 : 1e9;
  return Near(count, with_suffix.digits * decimal) ||
         Near(count, with_suffix.digits * with_suffix.suffix);
}

// The value of the source, in the unit and with the digits of the statement.
QuantityFit CompareRounded(const Quantity& said, const Quantity& source) {
  if (said.dimension != source.dimension || said.digits <= 0 || source.value <= 0) {
    return QuantityFit::kNone;
  }
  const double value = source.value * said.digits / said.value;
  const double more = value - said.digits;  // than the statement says
  const double step = said.last_digit * (1 + 1e-9);
  constexpr double kMostOff = 0.1;  // "about 100" is not 60
  if (std::abs(more) > kMostOff * value) return QuantityFit::kNone;
  switch (said.rounding) {
    case Rounding::kNone: {
      constexpr double kFewestSteps = 10;  // two digits
      const bool has_unit = said.dimension != Dimension::kNone;
      const bool is_rounded = has_unit && !said.is_word && std::abs(more) <= step / 2 &&
                              said.digits >= kFewestSteps * said.last_digit;
      return is_rounded ? QuantityFit::kRounded : QuantityFit::kNone;
    }
    case Rounding::kNearest:
      return std::abs(more) <= step / 2 ? QuantityFit::kSame : QuantityFit::kNone;
    case Rounding::kUp:
      return more <= 0 && -more < step ? QuantityFit::kSame : QuantityFit::kNone;
    case Rounding::kDown:
      return more >= 0 && more < step ? QuantityFit::kSame : QuantityFit::kNone;
  }
  return QuantityFit::kNone;
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
      if (bare.in_name) break;                              // "8 bytes" is not the 8 of UTF-8
      if (bare.in_product && !with_unit.in_product) break;  // 1 KiB is not 1024 of 1024 * 1024
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
        // "10 samples" is no time.
        const bool counts = bare.noun.size() > 2;
        return counts || hints.milli || hints.micro || hints.nano ? QuantityFit::kDoubtful
                                                                  : QuantityFit::kSame;
      }
      if (Near(value * 1e3, bare.digits)) return QuantityFit::kDoubtful;
      break;
    case Dimension::kHertz:
      if (Near(value, bare.digits)) return QuantityFit::kSame;
      break;
    case Dimension::kBits:
      if (Near(with_unit.digits, bare.digits)) {
        return hints.bytes && !hints.bits ? QuantityFit::kDoubtful : QuantityFit::kSame;
      }
      break;
    case Dimension::kTimes:
    case Dimension::kNone:
      if (Near(with_unit.digits, bare.digits)) return QuantityFit::kSame;
      break;
    default:
      if (Near(value, bare.digits)) return QuantityFit::kSame;  // 835 TFLOPS: 835e12
      break;
  }
  const bool is_part = bare.in_product && with_unit.dimension == Dimension::kBytes;
  if (Near(with_unit.digits, bare.digits) && !is_part) {
    const bool is_sure = !IsTime(with_unit.dimension) && with_unit.dimension != Dimension::kBytes;
    return is_sure ? QuantityFit::kSame : QuantityFit::kDoubtful;
  }
  return QuantityFit::kNone;
}

QuantityFit CompareExact(const Quantity& said, const Quantity& source, const UnitHints& hints) {
  // "1.8 ms" has the digits of "1.8us", and is another time.
  const bool is_one_unit = said.dimension == source.dimension &&
                           (said.dimension == Dimension::kNone || Near(said.value, source.value));
  if (!said.version.empty() && said.version == source.version && is_one_unit) {
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
    // "a quarter": 25%
    const bool is_share = source.dimension == Dimension::kPercent && said.is_word;
    if (is_share && said.digits < 1 && Near(said.digits * 100, source.digits)) {
      return QuantityFit::kSame;
    }
    if (IsCountWithSuffix(said.digits, source)) return QuantityFit::kSame;
    return Near(said.digits, source.digits) || Near(said.digits, source.value) ? QuantityFit::kSame
                                                                               : QuantityFit::kNone;
  }
  if (said.dimension == source.dimension) {
    if (said.dimension == Dimension::kBytes) {
      return NearBytes(said.value, source.value) ? QuantityFit::kSame : QuantityFit::kNone;
    }
    const bool is_same = Near(said.value, source.value) || IsCountWithSuffix(said.digits, source) ||
                         IsCountWithSuffix(source.digits, said);
    return is_same ? QuantityFit::kSame : QuantityFit::kNone;
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

}  // namespace

QuantityFit Compare(const Quantity& said, const Quantity& source, const UnitHints& hints) {
  const QuantityFit fit = CompareExact(said, source, hints);
  return fit == QuantityFit::kNone ? CompareRounded(said, source) : fit;
}

bool AreOfOneUnit(const Quantity& one, const Quantity& other) {
  const bool has_units = one.dimension != statement::Dimension::kNone &&
                         other.dimension != statement::Dimension::kNone;
  if (has_units) return one.dimension == other.dimension;
  return one.version.empty() == other.version.empty();
}

QuantityMatch Match(const Quantity& said, const std::vector<Quantity>& source,
                    const UnitHints& hints) {
  QuantityMatch best;
  for (const Quantity& quantity : source) {
    const QuantityFit fit = Compare(said, quantity, hints);
    if (fit == QuantityFit::kSame) return {.fit = fit, .source = &quantity};
    const bool is_better = best.fit != QuantityFit::kRounded;
    if (fit != QuantityFit::kNone && is_better) best = {.fit = fit, .source = &quantity};
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
      const bool is_adjacent = source[i].end + 1 == source[i + 1].begin;
      if (!source[i].version.empty() && !is_adjacent) continue;
      if (Near(source[i + 1].digits, minor) && !source[i + 1].is_derived) {
        // "ubuntu24.04" has them side by side.
        return {.fit = is_adjacent ? QuantityFit::kSame : QuantityFit::kDoubtful,
                .source = &source[i]};
      }
    }
  }
  return best;
}

}  // namespace sibyl::support
