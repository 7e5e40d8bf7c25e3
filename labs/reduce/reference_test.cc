// SPDX-License-Identifier: Apache-2.0
#include "reduce/reference.h"

#include "harness/expect.h"

int main() {
  using sibyl::lab::reduce::ReferenceSum;
  sibyl::lab::Expectations expect;
  expect.Near(ReferenceSum({}).sum, 0, 0, "nothing adds up to nothing");
  expect.Near(ReferenceSum({1, 2, 3.5F}).sum, 6.5, 0, "small sums are exact");
  expect.Near(ReferenceSum({-1, 3}).scale, 4, 0, "the scale is the sum of the magnitudes");
  expect.Near(ReferenceSum({1e30F, 1, -1e30F}).sum, 1, 0,
              "what cancels does not take the rest along");
  return expect.Finish();
}
