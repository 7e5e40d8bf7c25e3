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
};

/// Boxes of box_rows rows by 128 bytes, written to shared memory in the 128-byte swizzle. False
/// when the driver does not know such maps, or refuses this one.
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
  const cuuint64_t sizes[2] = {static_cast<cuuint64_t>(matrix.columns),
                               static_cast<cuuint64_t>(matrix.rows)};
  const cuuint64_t strides[1] = {static_cast<cuuint64_t>(matrix.columns) * bytes};
  const cuuint32_t box[2] = {static_cast<cuuint32_t>(128 / matrix.element_bytes),
                             static_cast<cuuint32_t>(box_rows)};
  const cuuint32_t steps[2] = {1, 1};
  return kEncode(&map, matrix.type, 2, const_cast<void*>(matrix.data), sizes, strides, box, steps,
                 CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                 CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

}  // namespace sibyl::lab
