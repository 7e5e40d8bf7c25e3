// SPDX-License-Identifier: Apache-2.0
// C = A B^T for matrices whose rows run along K, by every road the hardware has.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace sibyl::lab::gemm {

/// A is m x k, B is n x k, C is m x n, all row by row. Sums are float32.
struct Shape {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
};

enum class Type { kFloat, kTf32, kHalf, kBf16, kE4m3 };
constexpr const char* kTypeNames[] = {"fp32", "tf32", "fp16", "bf16", "fp8"};

/// Bytes of an element of A or B. C is bf16 for bf16 and fp8, half for half, else float.
constexpr int InputBytes(Type type) {
  return type == Type::kE4m3 ? 1 : type == Type::kHalf || type == Type::kBf16 ? 2 : 4;
}
constexpr int OutputBytes(Type type) { return InputBytes(type) == 4 ? 4 : 2; }

struct Operands {
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
};

/// Each returns what the launch returned. Shapes are multiples of 256 x 256 x 128.
cudaError_t RunCudaCoresPlain(const Operands& operands, const Shape& shape, cudaStream_t stream);
cudaError_t RunWmma(Type type, const Operands& operands, const Shape& shape, cudaStream_t stream);
cudaError_t RunMmaSync(Type type, const Operands& operands, const Shape& shape,
                       cudaStream_t stream);
/// sm_90a only, one launch at a time on a device: launches share their counters of progress.
cudaError_t RunCudaCores(const Operands& operands, const Shape& shape, cudaStream_t stream);
/// sm_90a only: the tensor map engine feeds warpgroup matrix instructions.
cudaError_t RunWgmma(Type type, const Operands& operands, const Shape& shape, cudaStream_t stream);

}  // namespace sibyl::lab::gemm
