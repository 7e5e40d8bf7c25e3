// SPDX-License-Identifier: Apache-2.0
// The decisions, against the rules in words.
#include "harness/expect.h"
#include "scaler/decide.h"

int main() {
  using namespace sibyl::lab::scaler;
  sibyl::lab::Expectations expect;
  ScalerState state;
  state.interval = 3;
  for (int i = 0; i < 3; ++i) state = Decide(state);
  expect.Near(state.scale, 131072, 0, "three good steps double the scale");
  expect.True(state.good_steps == 0, "and the count begins again");
  state = Decide(state);
  state.found_bad = 1;
  state = Decide(state);
  expect.Near(state.scale, 65536, 0, "a bad step halves it");
  expect.True(state.good_steps == 0 && state.skipped == 1 && state.found_bad == 0,
              "a bad step is skipped and forgotten");
  state.scale = 3e38F;
  for (int i = 0; i < 3; ++i) state = Decide(state);
  expect.Near(state.scale, static_cast<double>(3e38F), 0, "a scale that would overflow stays");
  Fp8State fp8;
  fp8.largest = 0x40000000;  // 2.0
  fp8 = Decide(fp8);
  expect.Near(fp8.scale, 224, 0, "the scale brings the largest number to 448");
  for (int i = 0; i < kHistory - 1; ++i) fp8 = Decide(fp8);
  expect.Near(fp8.scale, 224, 0, "zeros do not change it while 2 is remembered");
  fp8.largest = 0x3f800000;  // 1.0
  fp8 = Decide(fp8);
  expect.Near(fp8.scale, 448, 0, "after sixteen steps 2 is forgotten");
  return expect.Finish();
}
