// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace sibyl::lab::reduce {

struct Exact {
  double sum = 0;
  double scale = 0;  ///< The sum of the magnitudes: what errors are relative to.
};

/// In float64, with the rounding errors of the additions added back (Neumaier).
Exact ReferenceSum(const std::vector<float>& x);

}  // namespace sibyl::lab::reduce
