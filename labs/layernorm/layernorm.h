// SPDX-License-Identifier: Apache-2.0
// Layer normalisation of rows of bf16, forward and backward.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace sibyl::lab::layernorm {

/// rows x columns; gamma and beta have one number a column, mean and inverse one a row.
struct Forward {
  const std::uint16_t* x = nullptr;
  const std::uint16_t* gamma = nullptr;
  const std::uint16_t* beta = nullptr;
  std::uint16_t* y = nullptr;
  float* mean = nullptr;
  float* inverse = nullptr;  ///< 1 / sqrt(variance + epsilon)
  float epsilon = 1e-5F;
};

struct Backward {
  const std::uint16_t* x = nullptr;
  const std::uint16_t* dy = nullptr;
  const std::uint16_t* gamma = nullptr;
  const float* mean = nullptr;
  const float* inverse = nullptr;
  std::uint16_t* dx = nullptr;
  float* dgamma = nullptr;
  float* dbeta = nullptr;
  float* scratch = nullptr;  ///< ScratchFloats() of them.
};

struct Shape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

enum class ForwardVariant {
  kWarp,   ///< A row a warp, all of it in registers.
  kBlock,  ///< A row a block at a time, the next one waiting in registers.
  kRing,   ///< The same, the next rows waiting in shared memory, brought by bulk copies. sm_90.
};
enum class BackwardVariant {
  kRegisters,  ///< The next row waits in registers.
  kRing,       ///< The next rows wait in shared memory, brought by bulk copies. sm_90 and newer.
};

const char* WhyNot(ForwardVariant variant, const Shape& shape, int compute_capability);
const char* WhyNot(BackwardVariant variant, const Shape& shape, int compute_capability);

cudaError_t RunForward(ForwardVariant variant, const Forward& arrays, const Shape& shape,
                       cudaStream_t stream);
std::int64_t ScratchFloats(const Shape& shape);
cudaError_t RunBackward(BackwardVariant variant, const Backward& arrays, const Shape& shape,
                        cudaStream_t stream);

}  // namespace sibyl::lab::layernorm
