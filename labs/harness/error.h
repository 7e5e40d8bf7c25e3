// SPDX-License-Identifier: Apache-2.0
// How far an answer is from float64.
#pragma once

#include <cmath>
#include <limits>

namespace sibyl::lab {

/// Collects |got - wanted| over a scale that the caller chooses: the magnitude of the exact answer,
/// or what it was summed from where cancellation is the input's fault. NaN where a number was
/// wanted counts as infinitely wrong, which also finds outputs that were never written (they are
/// poisoned with NaN).
class ErrorGauge {
 public:
  void Add(double got, double wanted, double scale) {
    if (std::isnan(wanted) && std::isnan(got)) return;
    if (got == wanted) return;
    const double error = std::abs(got - wanted) / scale;
    if (std::isnan(error)) {
      worst_ = std::numeric_limits<double>::infinity();
    } else if (error > worst_) {
      worst_ = error;
    }
  }
  void Add(const ErrorGauge& other) {
    if (other.worst_ > worst_) worst_ = other.worst_;
  }
  double worst() const { return worst_; }

 private:
  double worst_ = 0;
};

}  // namespace sibyl::lab
