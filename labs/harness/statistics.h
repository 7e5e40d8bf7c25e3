// SPDX-License-Identifier: Apache-2.0
// What a set of timings says: its median, and how far that median can be trusted.
#pragma once

#include <cstddef>
#include <vector>

namespace sibyl::lab {

struct Summary {
  double median = 0;
  /// Half the width of the 95 % interval of the median, divided by the median. The interval comes
  /// from order statistics, so that it assumes nothing about the shape of the distribution: timings
  /// have a hard left edge and a long right tail, and a standard deviation describes neither.
  double noise = 0;
  std::size_t samples = 0;
};

/// An empty vector gives a summary of zero samples; fewer than six have no 95 % interval, and their
/// whole range is taken instead.
Summary Summarise(std::vector<double> samples);

}  // namespace sibyl::lab
