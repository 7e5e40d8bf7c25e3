// SPDX-License-Identifier: Apache-2.0
// Descriptions of matrices for the tensor map engine (sm_90 and newer).
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstdint>

namespace sibyl::lab {

struct MatrixView {
  const void* data = nullptr;
  CUtensorMapDataType type{};
  int element_bytes = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t matrices = 0;  // One after the other; 0: one matrix, and a map of two dimensions.
};

/// Boxes of box_rows rows by 128 bytes of one matrix (zeros beyond its rows), written to shared
/// memory in the 128-byte swizzle. False when the driver does not know such maps, or refuses this
/// one.
inline bool MakeTileMap(CUtensorMap& map, const MatrixView& matrix, int box_rows) {
  using Encode = decltype(&cuTensorMapEncodeTiled);
  // The driver's function by name: the labs do not link to the driver.
  static const Encode kEncode = [] {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    const cudaError_t status = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function,
                                                                12000, cudaEnableDefault, &found);
    const bool usable = status == cudaSuccess && found == cudaDriverEntryPointSuccess;
    return usable ? reinterpret_cast<Encode>(function) : nullptr;
  }();
  if (kEncode == nullptr) return false;
  const auto bytes = static_cast<cuuint64_t>(matrix.element_bytes);
  const cuuint64_t sizes[3] = {static_cast<cuuint64_t>(matrix.columns),
                               static_cast<cuuint64_t>(matrix.rows),
                               static_cast<cuuint64_t>(matrix.matrices)};
  const cuuint64_t strides[2] = {sizes[0] * bytes, sizes[0] * sizes[1] * bytes};
  const cuuint32_t box[3] = {static_cast<cuuint32_t>(128 / matrix.element_bytes),
                             static_cast<cuuint32_t>(box_rows), 1};
  const cuuint32_t steps[3] = {1, 1, 1};
  const cuuint32_t dimensions = matrix.matrices == 0 ? 2 : 3;
  return kEncode(&map, matrix.type, dimensions, const_cast<void*>(matrix.data), sizes, strides, box,
                 steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                 CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

}  // namespace sibyl::lab
