// SPDX-License-Identifier: Apache-2.0
#include "relevance/reference.h"

#include <array>
#include <cmath>

namespace sibyl::lab::relevance {

double ReferenceCosine(const HostWeights& weights, const double* patch, const double* query) {
  std::array<double, kHidden> hidden{};
  for (std::size_t h = 0; h < kHidden; ++h) {
    hidden[h] = weights.b1[h];
    for (std::size_t c = 0; c < kChannels; ++c) {
      hidden[h] += weights.w1[h * kChannels + c] * patch[c];
    }
  }
  double dot = 0;
  double feature_square = 0;
  double query_square = 0;
  for (std::size_t f = 0; f < kFeatures; ++f) {
    double feature = weights.b2[f];
    for (std::size_t h = 0; h < kHidden; ++h) feature += weights.w2[f * kHidden + h] * hidden[h];
    dot += feature * query[f];
    feature_square += feature * feature;
    query_square += query[f] * query[f];
  }
  const double lengths = std::sqrt(feature_square) * std::sqrt(query_square);
  return lengths > 0 ? dot / lengths : 0;
}

}  // namespace sibyl::lab::relevance
