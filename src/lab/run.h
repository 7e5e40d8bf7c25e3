// SPDX-License-Identifier: Apache-2.0
// A kept run of labs: the printed lines, after one line about the run. The
// run's id is the start of the file's sha256, so a kept run cannot be changed
// without changing its id.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/measurement.h"

namespace sibyl::lab {

struct Run {
  std::string command;                    ///< What to type to do it again: "sibyl lab run texture".
  std::string time;                       ///< "2026-11-15 09:05", in UTC.
  std::vector<std::string> lines;         ///< As the labs printed them.
  std::vector<Measurement> measurements;  ///< As the lines.

  /// The first that has this key; null when there is none.
  const Measurement* Find(std::string_view key) const;
};

inline constexpr std::size_t kMaxRunBytes = std::size_t{64} << 20;

/// Adds the output of a lab. Invalid lines are kCorrupt, with their number; the
/// lines before them are kept.
Status AddLines(std::string_view output, Run& run);

std::string FormatRun(const Run& run);
Result<Run> ParseRun(std::string_view text);

/// 16 hexadecimal digits, of the text of FormatRun.
std::string RunId(std::string_view text);

/// A measurement as text, so that a sentence can be compared with it: its
/// value, its distance from the floor, how it compares with the other variants
/// of the same case, and on what it was measured.
std::string InWords(const Run& run, const Measurement& measurement);

/// How many times better `one` is than `other`: of times other/one, of rates
/// one/other. Nothing when they do not compare.
std::optional<double> TimesBetter(const Measurement& one, const Measurement& other);

}  // namespace sibyl::lab
