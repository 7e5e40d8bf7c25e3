// SPDX-License-Identifier: Apache-2.0
#include "harness/statistics.h"

#include <algorithm>
#include <cmath>

namespace sibyl::lab {

Summary Summarise(std::vector<double> samples) {
  Summary summary;
  summary.samples = samples.size();
  if (samples.empty()) return summary;
  std::sort(samples.begin(), samples.end());
  const std::size_t n = samples.size();
  summary.median = n % 2 == 1 ? samples[n / 2] : 0.5 * (samples[n / 2 - 1] + samples[n / 2]);
  // The rank of the median is binomial(n, 1/2): 1.96 standard deviations of it to either side.
  const double reach = 0.98 * std::sqrt(static_cast<double>(n));
  const double low_rank = std::floor(static_cast<double>(n) / 2 - reach);
  const auto low = low_rank < 0 ? std::size_t{0} : static_cast<std::size_t>(low_rank);
  const std::size_t high = n - 1 - low;
  if (summary.median != 0) {
    summary.noise = (samples[high] - samples[low]) / 2 / std::abs(summary.median);
  }
  return summary;
}

}  // namespace sibyl::lab
