// SPDX-License-Identifier: Apache-2.0
// One Adam step over many tensors in one launch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>

namespace sibyl::lab::adam {

struct Tensor {
  float* parameter = nullptr;
  const float* gradient = nullptr;
  float* first_moment = nullptr;
  float* second_moment = nullptr;
  std::int64_t count = 0;
};

struct Settings {
  float rate = 1e-3F;
  float beta1 = 0.9F;
  float beta2 = 0.999F;
  float epsilon = 1e-8F;
  float weight_decay = 0;  ///< Decoupled, as in AdamW.
  int step = 1;            ///< Of this update, from 1.
};

enum class Variant {
  kTensors,  ///< A launch for each tensor.
  kUnroll1,  ///< All tensors in one launch; 4 elements a thread.
  kUnroll2,
  kUnroll4,
};

/// Tensors start at multiples of 16 bytes, and have any number of elements. Enqueues; captures,
/// with the step's number.
cudaError_t Step(Variant variant, std::span<const Tensor> tensors, const Settings& settings,
                 cudaStream_t stream);

}  // namespace sibyl::lab::adam
