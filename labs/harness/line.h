// SPDX-License-Identifier: Apache-2.0
// The JSON lines a lab prints. docs/formats/lab.md is their grammar.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/params.h"

namespace sibyl::lab {

/// Where the line was measured; the same on every line of a run.
struct Platform {
  std::string device;
  std::string driver;
  std::string toolkit;
};

struct Clocks {
  unsigned sm_mhz = 0;      ///< 0: not known (no NVML).
  unsigned memory_mhz = 0;  ///< Likewise.
  std::string throttle;     ///< "none", "power", "thermal", ..., joined by '+'; empty: not known.
};

struct Measurement {
  std::string variant;
  Params params;
  std::string metric;
  double value = 0;
  std::string unit;
  /// The least value physics allows, in the same unit; for rates, the most.
  std::optional<double> floor;
  /// How many times slower than the floor: value / floor, and for rates floor / value.
  std::optional<double> x_floor;
  std::size_t samples = 0;
  double noise = 0;
  /// The largest error against float64, relative to the scale the lab's README names.
  std::optional<double> max_rel_err;
  Clocks clocks;
};

std::string ToLine(const std::string& lab, const Measurement& measurement,
                   const Platform& platform);

/// A variant that could not be measured here, and why.
std::string SkipLine(const std::string& lab, const std::string& variant, const Params& params,
                     const std::string& reason);

/// A variant whose answer was wrong: it has no time worth reporting.
std::string FailureLine(const std::string& lab, const std::string& variant, const Params& params,
                        const std::string& reason);

/// A JSON string with its quotes. Bytes above 127 pass through.
std::string Quoted(const std::string& text);

/// Whole numbers with all their digits, others with seven; `null` when it is not finite, since JSON
/// has no other word for that.
std::string JsonNumber(double value);

}  // namespace sibyl::lab
