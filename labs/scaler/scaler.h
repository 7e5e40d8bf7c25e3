// SPDX-License-Identifier: Apache-2.0
// Loss scaling for 16-bit training, and delayed scaling for fp8: both keep their state on the
// device, so that a step never waits for the host to decide.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>

namespace sibyl::lab::scaler {

struct Tensor {
  float* gradient = nullptr;
  std::int64_t count = 0;
};

/// The state of a gradient scaler, with PyTorch's rules and defaults.
struct ScalerState {
  float scale = 65536;
  float growth = 2;
  float backoff = 0.5F;
  int interval = 2000;
  int good_steps = 0;  ///< Since the scale last changed.
  int found_bad = 0;   ///< Whether this step saw an infinity or NaN.
  int skipped = 0;     ///< Steps that must not be applied, so far.

  bool operator==(const ScalerState&) const = default;
};

/// Divides every gradient by the scale in place, and notes what is not finite: one pass. Tensors
/// start at multiples of 16 bytes.
cudaError_t Unscale(std::span<const Tensor> tensors, ScalerState* state, cudaStream_t stream);

/// The decision after a step: back off after a bad one, grow after `interval` good ones.
cudaError_t Update(ScalerState* state, cudaStream_t stream);

/// The same decision on the host.
ScalerState Updated(ScalerState state);

constexpr int kHistory = 16;
struct Fp8State {
  float scale = 1;            ///< What numbers are multiplied by before they are rounded.
  float amax[kHistory] = {};  ///< Largest magnitudes of the last steps.
  unsigned largest = 0;       ///< Of this step, as bits.
  int at = 0;

  bool operator==(const Fp8State&) const = default;
};

/// Rounds bf16 numbers to e4m3 by the scale of earlier steps, and notes the largest magnitude: one
/// pass.
cudaError_t Quantise(const std::uint16_t* in, std::uint8_t* out, std::int64_t count,
                     Fp8State* state, cudaStream_t stream);
/// The scale of the next step: 448 over the largest magnitude remembered.
cudaError_t UpdateFp8(Fp8State* state, cudaStream_t stream);
Fp8State Updated(Fp8State state);

}  // namespace sibyl::lab::scaler
