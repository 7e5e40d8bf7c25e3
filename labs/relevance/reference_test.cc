// SPDX-License-Identifier: Apache-2.0
#include "relevance/reference.h"

#include "harness/expect.h"

int main() {
  using namespace sibyl::lab::relevance;
  sibyl::lab::Expectations expect;
  HostWeights weights;
  weights.w1.assign(kHidden * kChannels, 0);
  weights.b1.assign(kHidden, 0);
  weights.w2.assign(kFeatures * kHidden, 0);
  weights.b2.assign(kFeatures, 0);
  weights.w1[0] = 2;            // Channel 0 to hidden 0.
  weights.w2[5 * kHidden] = 3;  // Hidden 0 to feature 5.
  std::vector<double> patch(kChannels, 1);
  std::vector<double> query(kFeatures, 0);
  query[5] = 7;
  expect.Near(ReferenceCosine(weights, patch.data(), query.data()), 1, 1e-15, "parallel: 1");
  query[5] = -7;
  expect.Near(ReferenceCosine(weights, patch.data(), query.data()), -1, 1e-15, "opposite: -1");
  weights.b2[6] = 6;
  expect.Near(ReferenceCosine(weights, patch.data(), query.data()), -0.7071067811865475, 1e-15,
              "the bias turns the feature by 45 degrees");
  query[5] = 0;
  expect.Near(ReferenceCosine(weights, patch.data(), query.data()), 0, 0, "no query: 0");
  return expect.Finish();
}
