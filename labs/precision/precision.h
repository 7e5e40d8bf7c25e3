// SPDX-License-Identifier: Apache-2.0
// What the device makes of numbers in narrow formats.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace sibyl::lab::precision {

enum class Format { kHalf, kBf16, kTf32, kE4m3, kE5m2 };

/// back[i] = the float that in[i] becomes by the device's own conversion: to nearest, ties to even
/// (tf32: ties away from zero, the instruction's only mode); fp8 conversions saturate at the
/// largest number.
cudaError_t Convert(Format format, const float* in, float* back, std::int64_t count,
                    cudaStream_t stream);

enum class Adder { kHalf, kBf16, kFloat, kHalfIntoFloat, kBf16IntoFloat, kHalfKahan };

/// One thread adds in[0] + in[1] + ... in order, rounding as the adder does. Inputs are first
/// rounded to the adder's format.
cudaError_t AddUp(Adder adder, const float* in, float* sum, std::int64_t count,
                  cudaStream_t stream);

/// What one tensor-core instruction (mma.sync m16n8k8, tf32) makes of 1 * in: whether it rounds the
/// bits tf32 does not have, or drops them.
cudaError_t MultiplyTf32(float in, float* out, cudaStream_t stream);

}  // namespace sibyl::lab::precision
