// SPDX-License-Identifier: Apache-2.0
// A run as a picture: curves for its sweeps (lab/sweep.h), otherwise a bar for
// each variant of each case; and a line at the floor, which is the ceiling of a
// rate.
#pragma once

#include <string>
#include <string_view>

#include "lab/run.h"

namespace sibyl::lab {

struct PlotOptions {
  /// The MetricKey of one measurement: a narrow picture of its case, with its bar marked and at
  /// most twelve bars. Empty: all cases.
  std::string_view metric = {};
  /// Another run whose picture is shown beside this one: cases and sweeps that both have get the
  /// same scale. May be null.
  const Run* beside = nullptr;
};

/// A self-contained SVG file, without scripts; readable in dark and light mode.
std::string PlotRun(const Run& run, const PlotOptions& options = {});

}  // namespace sibyl::lab
