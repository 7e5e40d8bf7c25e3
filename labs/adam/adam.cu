// SPDX-License-Identifier: Apache-2.0
// A step moves 28 bytes a parameter (reads four numbers, writes three) and computes almost nothing.
// The table of tensors travels as a kernel argument, so that a step is one launch with nothing to
// copy before it. Blocks are cut so that none spans two tensors.
#include <algorithm>
#include <cmath>

#include "adam/adam.h"

namespace sibyl::lab::adam {
namespace {

constexpr int kThreads = 256;
constexpr int kMostTensors = 512;

/// 20 KB of the 32 KB that arguments may have.
struct Table {
  int tensors;
  unsigned first_block[kMostTensors + 1];
  Tensor tensor[kMostTensors];
};

/// The settings, with what depends on the step alone computed once.
struct Factors {
  float beta1;
  float one_less_beta1;
  float beta2;
  float one_less_beta2;
  float epsilon;
  float inverse_root_correction2;
  float rate_over_correction1;
  float kept;  // Of the parameter, after decay.
};

__device__ __forceinline__ float Updated(float p, float g, float& m, float& v, const Factors& f) {
  m = fmaf(f.beta1, m, f.one_less_beta1 * g);
  v = fmaf(f.beta2, v, f.one_less_beta2 * g * g);
  const float denominator = fmaf(sqrtf(v), f.inverse_root_correction2, f.epsilon);
  return fmaf(-f.rate_over_correction1, __fdividef(m, denominator), f.kept * p);
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

template <int kUnroll>
__device__ __forceinline__ void UpdateVectors(const Tensor& t, std::int64_t first,
                                              const Factors& f) {
  float4 p[kUnroll], g[kUnroll], m[kUnroll], v[kUnroll];
#pragma unroll
  for (int i = 0; i < kUnroll; ++i) {
    const std::int64_t at = first / 4 + i * kThreads + threadIdx.x;
    p[i] = __ldcs(reinterpret_cast<const float4*>(t.parameter) + at);
    g[i] = __ldcs(reinterpret_cast<const float4*>(t.gradient) + at);
    m[i] = __ldcs(reinterpret_cast<const float4*>(t.first_moment) + at);
    v[i] = __ldcs(reinterpret_cast<const float4*>(t.second_moment) + at);
  }
#pragma unroll
  for (int i = 0; i < kUnroll; ++i) {
    const std::int64_t at = first / 4 + i * kThreads + threadIdx.x;
    p[i].x = Updated(p[i].x, g[i].x, m[i].x, v[i].x, f);
    p[i].y = Updated(p[i].y, g[i].y, m[i].y, v[i].y, f);
    p[i].z = Updated(p[i].z, g[i].z, m[i].z, v[i].z, f);
    p[i].w = Updated(p[i].w, g[i].w, m[i].w, v[i].w, f);
    __stcs(reinterpret_cast<float4*>(t.parameter) + at, p[i]);
    __stcs(reinterpret_cast<float4*>(t.first_moment) + at, m[i]);
    __stcs(reinterpret_cast<float4*>(t.second_moment) + at, v[i]);
  }
}

template <int kUnroll>
__global__ void __launch_bounds__(kThreads)
    UpdateAll(const __grid_constant__ Table table, const __grid_constant__ Factors factors) {
  constexpr int kPiece = kThreads * 4 * kUnroll;
  const int which = FindTensor(table, blockIdx.x);
  const Tensor& t = table.tensor[which];
  const std::int64_t first =
      static_cast<std::int64_t>(blockIdx.x - table.first_block[which]) * kPiece;
  if (first + kPiece <= t.count) {
    UpdateVectors<kUnroll>(t, first, factors);
    return;
  }
  for (std::int64_t i = first + threadIdx.x; i < t.count; i += kThreads) {
    float m = t.first_moment[i];
    float v = t.second_moment[i];
    t.parameter[i] = Updated(t.parameter[i], t.gradient[i], m, v, factors);
    t.first_moment[i] = m;
    t.second_moment[i] = v;
  }
}

Factors MakeFactors(const Settings& s) {
  const double correction1 = 1 - std::pow(static_cast<double>(s.beta1), s.step);
  const double correction2 = 1 - std::pow(static_cast<double>(s.beta2), s.step);
  return {.beta1 = s.beta1,
          .one_less_beta1 = static_cast<float>(1 - static_cast<double>(s.beta1)),
          .beta2 = s.beta2,
          .one_less_beta2 = static_cast<float>(1 - static_cast<double>(s.beta2)),
          .epsilon = s.epsilon,
          .inverse_root_correction2 = static_cast<float>(1 / std::sqrt(correction2)),
          .rate_over_correction1 = static_cast<float>(s.rate / correction1),
          .kept = static_cast<float>(1 - static_cast<double>(s.rate) * s.weight_decay)};
}

template <int kUnroll>
cudaError_t Launch(std::span<const Tensor> tensors, const Factors& factors, cudaStream_t stream) {
  constexpr int kPiece = kThreads * 4 * kUnroll;
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
    UpdateAll<kUnroll><<<blocks, kThreads, 0, stream>>>(table, factors);
  }
  return cudaGetLastError();
}

}  // namespace

cudaError_t Step(Variant variant, std::span<const Tensor> tensors, const Settings& settings,
                 cudaStream_t stream) {
  const Factors factors = MakeFactors(settings);
  switch (variant) {
    case Variant::kTensors:
      for (std::size_t i = 0; i < tensors.size(); ++i) {
        const cudaError_t status = Launch<1>(tensors.subspan(i, 1), factors, stream);
        if (status != cudaSuccess) return status;
      }
      return cudaSuccess;
    case Variant::kUnroll1:
      return Launch<1>(tensors, factors, stream);
    case Variant::kUnroll2:
      return Launch<2>(tensors, factors, stream);
    case Variant::kUnroll4:
      return Launch<4>(tensors, factors, stream);
  }
  return cudaErrorInvalidValue;
}

}  // namespace sibyl::lab::adam
