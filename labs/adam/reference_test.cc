// SPDX-License-Identifier: Apache-2.0
#include "adam/reference.h"

#include "harness/expect.h"

int main() {
  using namespace sibyl::lab::adam;
  sibyl::lab::Expectations expect;
  // The first step from rest moves by the rate, whatever the gradient's size.
  for (const double gradient : {1e-3, 1.0, 1e3}) {
    const Element after = ReferenceStep({.parameter = 1}, gradient, {.rate = 0.5F});
    expect.Near(after.parameter, 0.5, 1e-4, "the first step is as long as the rate");
  }
  const Element rest = ReferenceStep({.parameter = 2}, 0, {.rate = 0.5F, .weight_decay = 0.5F});
  expect.Near(rest.parameter, 1.5, 1e-12, "decay alone shrinks the parameter");
  const Element moved = ReferenceStep({.first_moment = 1, .second_moment = 4}, 1, {.step = 1000});
  expect.Near(moved.first_moment, 1, 1e-7, "moments are weighted means");
  expect.Near(moved.second_moment, 3.997, 1e-6, "of the squares too");
  return expect.Finish();
}
