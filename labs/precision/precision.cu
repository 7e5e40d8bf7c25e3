// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "precision/precision.h"

namespace sibyl::lab::precision {
namespace {

template <__nv_fp8_interpretation_t kKind>
__device__ float ThroughFp8(float value) {
  const __nv_fp8_storage_t bits = __nv_cvt_float_to_fp8(value, __NV_SATFINITE, kKind);
  return __half2float(__half(__nv_cvt_fp8_to_halfraw(bits, kKind)));
}

__device__ float Through(Format format, float value) {
  switch (format) {
    case Format::kHalf:
      return __half2float(__float2half_rn(value));
    case Format::kBf16:
      return __bfloat162float(__float2bfloat16_rn(value));
    case Format::kTf32: {
      std::uint32_t bits;
      asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
      // Only the upper 19 bits are defined.
      return __uint_as_float(bits & 0xffffe000u);
    }
    case Format::kE4m3:
      return ThroughFp8<__NV_E4M3>(value);
    case Format::kE5m2:
      return ThroughFp8<__NV_E5M2>(value);
  }
  return 0;
}

__global__ void ConvertAll(Format format, const float* in, float* back, std::int64_t count) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) back[i] = Through(format, in[i]);
}

__global__ void AddInOrder(Adder adder, const float* in, float* out, std::int64_t count) {
  float wide = 0;
  __half half = __float2half(0);
  __half lost = __float2half(0);
  __nv_bfloat16 brain = __float2bfloat16(0);
  for (std::int64_t i = 0; i < count; ++i) {
    const __half h = __float2half_rn(in[i]);
    const __nv_bfloat16 b = __float2bfloat16_rn(in[i]);
    if (adder == Adder::kHalf) half = __hadd_rn(half, h);
    if (adder == Adder::kBf16) brain = __hadd_rn(brain, b);
    if (adder == Adder::kFloat) wide = __fadd_rn(wide, in[i]);
    if (adder == Adder::kHalfIntoFloat) wide = __fadd_rn(wide, __half2float(h));
    if (adder == Adder::kBf16IntoFloat) wide = __fadd_rn(wide, __bfloat162float(b));
    if (adder == Adder::kHalfKahan) {
      const __half corrected = __hsub_rn(h, lost);
      const __half next = __hadd_rn(half, corrected);
      lost = __hsub_rn(__hsub_rn(next, half), corrected);
      half = next;
    }
  }
  if (adder == Adder::kHalf || adder == Adder::kHalfKahan) wide = __half2float(half);
  if (adder == Adder::kBf16) wide = __bfloat162float(brain);
  *out = wide;
}

__global__ void OneMma(float in, float* out) {
  const std::uint32_t a = __float_as_uint(threadIdx.x == 0 ? in : 0.0f);
  const std::uint32_t b = __float_as_uint(threadIdx.x == 0 ? 1.0f : 0.0f);
  const std::uint32_t zero = 0;
  float d[4] = {};
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %5, %5}, "
      "{%6, %5}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a), "r"(zero), "r"(b));
  if (threadIdx.x == 0) *out = d[0];
}

}  // namespace

cudaError_t Convert(Format format, const float* in, float* back, std::int64_t count,
                    cudaStream_t stream) {
  ConvertAll<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(format, in, back,
                                                                             count);
  return cudaGetLastError();
}

cudaError_t AddUp(Adder adder, const float* in, float* sum, std::int64_t count,
                  cudaStream_t stream) {
  AddInOrder<<<1, 1, 0, stream>>>(adder, in, sum, count);
  return cudaGetLastError();
}

cudaError_t MultiplyTf32(float in, float* out, cudaStream_t stream) {
  OneMma<<<1, 32, 0, stream>>>(in, out);
  return cudaGetLastError();
}

}  // namespace sibyl::lab::precision
