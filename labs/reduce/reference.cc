// SPDX-License-Identifier: Apache-2.0
#include "reduce/reference.h"

#include <cmath>

namespace sibyl::lab::reduce {

Exact ReferenceSum(const std::vector<float>& x) {
  Exact exact;
  double lost = 0;
  for (const float value : x) {
    const double added = value;
    const double sum = exact.sum + added;
    lost += std::abs(exact.sum) >= std::abs(added) ? (exact.sum - sum) + added
                                                   : (added - sum) + exact.sum;
    exact.sum = sum;
    exact.scale += std::abs(added);
  }
  exact.sum += lost;
  return exact;
}

}  // namespace sibyl::lab::reduce
