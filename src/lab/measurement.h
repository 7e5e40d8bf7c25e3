// SPDX-License-Identifier: Apache-2.0
// Start here: a measurement as printed by a lab. docs/formats/lab.md describes
// the lines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace sibyl::lab {

struct Measurement {
  std::string lab;
  std::string variant;
  std::vector<std::pair<std::string, std::string>> params;  ///< In the order of the axes.
  std::string metric;  ///< Empty when nothing was measured: see skip and failure.
  double value = 0;
  std::string unit;
  std::optional<double> floor;    ///< The best that the hardware allows: of a rate, its ceiling.
  std::optional<double> x_floor;  ///< Times slower than the floor.
  std::size_t samples = 0;
  double noise = 0;
  std::optional<double> max_rel_err;
  std::string device;
  std::string driver;
  std::string toolkit;
  /// Other libraries that were measured, with their versions: {"PyTorch", "2.11.0"}.
  std::vector<std::pair<std::string, std::string>> libraries;
  std::optional<double> sm_mhz;  ///< Of the multiprocessors, while the work ran.
  std::string throttle;          ///< "power": why the clocks were reduced; empty if not known.
  std::string skip;              ///< Why it was not measured.
  std::string failure;           ///< What was wrong with its answer.

  bool is_measured() const { return !metric.empty(); }
};

inline constexpr std::size_t kMaxLineBytes = std::size_t{1} << 16;

/// Parses one line of a lab. kCorrupt, with the reason: a member that is
/// missing or of another type, none or several of metric, skip and failure.
Result<Measurement> ParseLine(std::string_view line_text);

/// "images=32,height=1024"; empty without params.
std::string ParamsText(const Measurement& measurement);

/// The name of a measurement within a run: "bulk/images=32,height=1024/time".
std::string MetricKey(const Measurement& measurement);

/// Whether a higher value is a better one: rates, not times.
bool IsRate(const Measurement& measurement);

/// Why the clocks were below those that the GPU's settings allow, such as "power" or
/// "thermal": empty if they were not, or if it is not known. A clock that somebody
/// has set is not among them.
std::string ReducedBy(const Measurement& measurement);

/// What the floor is called to people: "floor" of a time, "ceiling" of a rate.
std::string_view BoundName(const Measurement& measurement);

/// How far it is from the floor: "1.1x the floor", of a rate "93 % of the ceiling". Empty without
/// x_floor.
std::string BoundText(const Measurement& measurement);

/// "0.1834 ms", "32540 GB/s": four digits, and whole numbers below 10,000,000 with all of theirs.
std::string ValueText(double value, std::string_view unit);

}  // namespace sibyl::lab
