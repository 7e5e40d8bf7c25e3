// SPDX-License-Identifier: Apache-2.0
// Finds the sweeps of a run: measurements that differ in one number, which are
// drawn as curves. The number is a parameter of the cases, or the end of the
// variants' names: "stride-1", "stride-2", "stride-4".
#pragma once

#include <string>
#include <vector>

#include "lab/measurement.h"

namespace sibyl::lab {

struct SweepPoint {
  double x = 0;
  const Measurement* row = nullptr;
};

struct SweepSeries {
  std::string name;                ///< The variant, without its number.
  std::vector<SweepPoint> points;  ///< By x.
};

struct Sweep {
  std::string axis;     ///< What x is: "kernel_ns".
  std::string case_of;  ///< The other parameters: "megabytes=1024".
  std::vector<SweepSeries> series;
  std::vector<SweepSeries> scaled_as = {};  ///< Not drawn: the axes reach as far as these.
};

/// Moves the rows of sweeps, of at least four values, out of `rows`.
std::vector<Sweep> TakeSweeps(std::vector<const Measurement*>& rows);

}  // namespace sibyl::lab
