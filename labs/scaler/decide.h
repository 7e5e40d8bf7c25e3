// SPDX-License-Identifier: Apache-2.0
// The decisions of both scalers, written once for host and device.
#pragma once

#include <cmath>

#include "scaler/scaler.h"

#ifdef __CUDACC__
#define SIBYL_LAB_BOTH __host__ __device__
#else
#define SIBYL_LAB_BOTH
#endif

namespace sibyl::lab::scaler {

SIBYL_LAB_BOTH inline ScalerState Decide(ScalerState state) {
  if (state.found_bad != 0) {
    state.scale *= state.backoff;
    state.good_steps = 0;
    state.skipped += 1;
  } else if (state.good_steps + 1 == state.interval) {
    const float grown = state.scale * state.growth;
    // A scale that would overflow stays.
    if (grown <= 3.402823466e38F) state.scale = grown;
    state.good_steps = 0;
  } else {
    state.good_steps += 1;
  }
  state.found_bad = 0;
  return state;
}

SIBYL_LAB_BOTH inline Fp8State Decide(Fp8State state) {
  union {
    unsigned bits;
    float value;
  } largest{state.largest};
  state.amax[state.at] = largest.value;
  state.at = (state.at + 1) % kHistory;
  state.largest = 0;
  float remembered = 0;
  for (const float amax : state.amax) remembered = amax > remembered ? amax : remembered;
  // Nothing but zeros, or an infinity: the old scale is the better guess.
  if (remembered > 0 && remembered <= 3.402823466e38F) state.scale = 448 / remembered;
  return state;
}

}  // namespace sibyl::lab::scaler
