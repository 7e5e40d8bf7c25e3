// SPDX-License-Identifier: Apache-2.0
// The cosine in float64 by its definition: the features are made, all 1536 of them.
#pragma once

#include <cstdint>
#include <vector>

#include "relevance/relevance.h"

namespace sibyl::lab::relevance {

/// The weights of relevance.h, on the host and in float64.
struct HostWeights {
  std::vector<double> w1, b1, w2, b2;
};

double ReferenceCosine(const HostWeights& weights, const double* patch, const double* query);

}  // namespace sibyl::lab::relevance
