// SPDX-License-Identifier: Apache-2.0
// Folding the weights: A, and the triangle T with T^T T = A^T A by a Cholesky factorisation in
// float64. The block that arrives last adds the others' parts up and factorises.
#include "relevance/numbers.cuh"
#include "relevance/relevance.h"

namespace sibyl::lab::relevance {
namespace {

constexpr int kFoldRows = 32;
constexpr int kFoldThreads = kFoldRows * kInputs;
constexpr int kFoldBlocks = kFeatures / kFoldRows;

struct FoldScratch {
  std::uint32_t w2[kFoldRows][kHidden / 2 + 1];  // Padded: each lane its own bank.
  float w1[kInputs][kHidden];
  float map[kInputs][kFoldRows];
  double gram[kInputs][kInputs];
  bool last;
};

__device__ void LoadWeights(const Weights& weights, FoldScratch& scratch, int first_row) {
  const auto* w2 = reinterpret_cast<const std::uint32_t*>(weights.w2) + first_row * kHidden / 2;
  for (int i = static_cast<int>(threadIdx.x); i < kFoldRows * kHidden / 2; i += kFoldThreads) {
    scratch.w2[i / (kHidden / 2)][i % (kHidden / 2)] = w2[i];
  }
  for (int i = static_cast<int>(threadIdx.x); i < kInputs * kHidden; i += kFoldThreads) {
    const int column = i / kHidden;
    const int hidden = i % kHidden;
    scratch.w1[column][hidden] =
        FromBf16(column < kChannels ? weights.w1[hidden * kChannels + column] : weights.b1[hidden]);
  }
}

/// One warp, one column of the matrix a lane. A pivot that is nothing but rounding becomes a row of
/// zeros: A may have dependent columns.
__device__ void Factorise(const FoldScratch& scratch, float* triangle) {
  const int lane = static_cast<int>(threadIdx.x);
  double column[kInputs];
  double trace = 0;
#pragma unroll
  for (int i = 0; i < kInputs; ++i) {
    column[i] = lane < kInputs ? scratch.gram[i][lane] : 0;
    trace += scratch.gram[i][i];
  }
#pragma unroll
  for (int i = 0; i < kInputs; ++i) {
    const double pivot = __shfl_sync(kAll, column[i], i);
    const double scale = pivot > 1e-14 * trace ? rsqrt(pivot) : 0;
    const double mine = column[i] * scale;
    if (lane >= i && lane < kInputs) triangle[InTriangle(i, lane)] = static_cast<float>(mine);
#pragma unroll
    for (int j = i + 1; j < kInputs; ++j) column[j] -= __shfl_sync(kAll, mine, j) * mine;
  }
}

__global__ void __launch_bounds__(kFoldThreads) FoldWeights(Weights weights, Folded* folded) {
  __shared__ FoldScratch scratch;
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
  const int first_row = static_cast<int>(blockIdx.x) * kFoldRows;
  const int thread = static_cast<int>(threadIdx.x);
  LoadWeights(weights, scratch, first_row);
  __syncthreads();
  const int row = thread % kFoldRows;
  const int column = thread / kFoldRows;
  float sum = column == kChannels ? FromBf16(weights.b2[first_row + row]) : 0.0f;
#pragma unroll 8
  for (int h = 0; h < kHidden / 2; ++h) {
    const std::uint32_t two = scratch.w2[row][h];
    sum = fmaf(Low(two), scratch.w1[column][2 * h], sum);
    sum = fmaf(High(two), scratch.w1[column][2 * h + 1], sum);
  }
  folded->map[column][first_row + row] = sum;
  scratch.map[column][row] = sum;
  __syncthreads();
  if (thread < kInputs * kInputs && thread / kInputs <= thread % kInputs) {
    const int i = thread / kInputs;
    const int j = thread % kInputs;
    double dot = 0;
    for (int r = 0; r < kFoldRows; ++r) {
      dot += static_cast<double>(scratch.map[i][r]) * scratch.map[j][r];
    }
    folded->partial[blockIdx.x][InTriangle(i, j)] = dot;
  }
  __threadfence();
  __syncthreads();
  if (thread == 0) scratch.last = atomicAdd(&folded->arrived, 1) == gridDim.x - 1;
  __syncthreads();
  if (!scratch.last) return;
  __threadfence();
  if (thread < kInputs * kInputs) {
    const int i = min(thread / kInputs, thread % kInputs);
    const int j = max(thread / kInputs, thread % kInputs);
    double dot = 0;
#pragma unroll 16
    for (int block = 0; block < kFoldBlocks; ++block) {
      dot += __ldcg(&folded->partial[block][InTriangle(i, j)]);
    }
    scratch.gram[thread / kInputs][thread % kInputs] = dot;
  }
  if (thread == 0) folded->arrived = 0;
  __syncthreads();
  if (thread < 32) Factorise(scratch, folded->triangle);
}

}  // namespace

cudaError_t Fold(const Weights& weights, Folded* folded, cudaStream_t stream) {
  FoldWeights<<<kFoldBlocks, kFoldThreads, 0, stream>>>(weights, folded);
  return cudaGetLastError();
}

}  // namespace sibyl::lab::relevance
