// SPDX-License-Identifier: Apache-2.0
#include <cuda_fp8.h>

#include <algorithm>

#include "scaler/decide.h"
#include "scaler/scaler.h"

namespace sibyl::lab::scaler {
namespace {

constexpr int kThreads = 256;
constexpr int kMostTensors = 1024;
constexpr int kVectors = 2;  // Of four floats a thread.
constexpr int kPiece = kThreads * 4 * kVectors;

struct Table {
  int tensors;
  unsigned first_block[kMostTensors];
  Tensor tensor[kMostTensors];
};

/// Exponent bits all ones: infinity or NaN.
__device__ __forceinline__ bool Bad(float value) {
  return (__float_as_uint(value) & 0x7f800000u) == 0x7f800000u;
}

__device__ __forceinline__ int FindTensor(const Table& table, unsigned block) {
  int low = 0;
  int high = table.tensors - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (table.first_block[middle] <= block) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

__global__ void __launch_bounds__(kThreads)
    UnscaleAll(const __grid_constant__ Table table, ScalerState* state) {
  const int which = FindTensor(table, blockIdx.x);
  const Tensor& tensor = table.tensor[which];
  const std::int64_t first =
      static_cast<std::int64_t>(blockIdx.x - table.first_block[which]) * kPiece;
  // Scales are powers of two unless somebody set another; the reciprocal is then exact.
  const float inverse = 1.0f / state->scale;
  bool bad = false;
  if (first + kPiece <= tensor.count) {
    auto* vectors = reinterpret_cast<float4*>(tensor.gradient + first) + threadIdx.x;
    float4 values[kVectors];
#pragma unroll
    for (int i = 0; i < kVectors; ++i) values[i] = __ldcs(vectors + i * kThreads);
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
      float4& v = values[i];
      bad = bad || Bad(v.x) || Bad(v.y) || Bad(v.z) || Bad(v.w);
      v = make_float4(v.x * inverse, v.y * inverse, v.z * inverse, v.w * inverse);
      __stcs(vectors + i * kThreads, v);
    }
  } else {
    for (std::int64_t i = first + threadIdx.x; i < tensor.count; i += kThreads) {
      bad = bad || Bad(tensor.gradient[i]);
      tensor.gradient[i] *= inverse;
    }
  }
  // Bad numbers are rare; then every thread that saw one writes the same word.
  if (bad) state->found_bad = 1;
}

__global__ void UpdateScaler(ScalerState* state) { *state = Decide(*state); }

__global__ void __launch_bounds__(kThreads)
    QuantiseAll(const std::uint16_t* in, std::uint8_t* out, std::int64_t count, Fp8State* state) {
  const std::int64_t i = (static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x) * 16;
  const float scale = state->scale;
  float largest = 0;
  if (i + 16 <= count) {
    uint4 halves[2] = {__ldcs(reinterpret_cast<const uint4*>(in + i)),
                       __ldcs(reinterpret_cast<const uint4*>(in + i) + 1)};
    const auto* words = reinterpret_cast<const std::uint32_t*>(halves);
    std::uint32_t packed[4];
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      const float a = __uint_as_float(words[2 * w] << 16);
      const float b = __uint_as_float(words[2 * w] & 0xffff0000u);
      const float c = __uint_as_float(words[2 * w + 1] << 16);
      const float d = __uint_as_float(words[2 * w + 1] & 0xffff0000u);
      largest = fmaxf(fmaxf(largest, fmaxf(fabsf(a), fabsf(b))), fmaxf(fabsf(c), fabsf(d)));
      const __nv_fp8x2_storage_t low =
          __nv_cvt_float2_to_fp8x2(make_float2(a * scale, b * scale), __NV_SATFINITE, __NV_E4M3);
      const __nv_fp8x2_storage_t high =
          __nv_cvt_float2_to_fp8x2(make_float2(c * scale, d * scale), __NV_SATFINITE, __NV_E4M3);
      packed[w] = static_cast<std::uint32_t>(low) | static_cast<std::uint32_t>(high) << 16;
    }
    __stcs(reinterpret_cast<uint4*>(out + i),
           make_uint4(packed[0], packed[1], packed[2], packed[3]));
  } else {
    for (std::int64_t j = i; j < count; ++j) {
      const float value = __uint_as_float(static_cast<std::uint32_t>(in[j]) << 16);
      largest = fmaxf(largest, fabsf(value));
      out[j] = __nv_cvt_float_to_fp8(value * scale, __NV_SATFINITE, __NV_E4M3);
    }
  }
  // Non-negative floats are ordered as their bits are.
  const unsigned bits = __reduce_max_sync(~0u, __float_as_uint(largest));
  __shared__ unsigned warps[kThreads / 32];
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = bits;
  __syncthreads();
  if (threadIdx.x < 32) {
    const unsigned mine = threadIdx.x < kThreads / 32 ? warps[threadIdx.x] : 0;
    const unsigned block = __reduce_max_sync(~0u, mine);
    // Most blocks find a larger one already noted, and spare the atomic.
    if (threadIdx.x == 0 && block > *(volatile unsigned*)&state->largest) {
      atomicMax(&state->largest, block);
    }
  }
}

__global__ void UpdateFp8State(Fp8State* state) { *state = Decide(*state); }

}  // namespace

cudaError_t Unscale(std::span<const Tensor> tensors, ScalerState* state, cudaStream_t stream) {
  Table table;
  for (std::size_t first = 0; first < tensors.size(); first += kMostTensors) {
    const auto here =
        tensors.subspan(first, std::min<std::size_t>(kMostTensors, tensors.size() - first));
    table.tensors = static_cast<int>(here.size());
    unsigned blocks = 0;
    for (std::size_t i = 0; i < here.size(); ++i) {
      table.tensor[i] = here[i];
      table.first_block[i] = blocks;
      blocks += static_cast<unsigned>((here[i].count + kPiece - 1) / kPiece);
    }
    if (blocks == 0) continue;
    UnscaleAll<<<blocks, kThreads, 0, stream>>>(table, state);
  }
  return cudaGetLastError();
}

cudaError_t Update(ScalerState* state, cudaStream_t stream) {
  UpdateScaler<<<1, 1, 0, stream>>>(state);
  return cudaGetLastError();
}

ScalerState Updated(ScalerState state) { return Decide(state); }
Fp8State Updated(Fp8State state) { return Decide(state); }

cudaError_t Quantise(const std::uint16_t* in, std::uint8_t* out, std::int64_t count,
                     Fp8State* state, cudaStream_t stream) {
  const std::int64_t per_block = kThreads * 16;
  const auto blocks = static_cast<unsigned>((count + per_block - 1) / per_block);
  QuantiseAll<<<blocks, kThreads, 0, stream>>>(in, out, count, state);
  return cudaGetLastError();
}

cudaError_t UpdateFp8(Fp8State* state, cudaStream_t stream) {
  UpdateFp8State<<<1, 1, 0, stream>>>(state);
  return cudaGetLastError();
}

}  // namespace sibyl::lab::scaler
