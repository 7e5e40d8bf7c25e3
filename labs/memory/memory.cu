// SPDX-License-Identifier: Apache-2.0
#include "harness/bulk.cuh"
#include "memory/memory.h"

namespace sibyl::lab::memory {
namespace {

constexpr int kThreads = 256;

__device__ __forceinline__ uint4 Xor(const uint4& a, const uint4& b) {
  return make_uint4(a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w);
}

/// One atomic a warp; what it adds to the time is measured by nobody.
__device__ __forceinline__ void Sink(std::uint32_t value, std::uint32_t* sink) {
  const std::uint32_t all = __reduce_xor_sync(~0u, value);
  if (threadIdx.x % 32 == 0) atomicXor(sink, all);
}

__device__ __forceinline__ std::uint32_t Fold(const uint4& v) { return v.x ^ v.y ^ v.z ^ v.w; }

int Processors() {
  int device = 0;
  int processors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  return processors;
}

template <int kReads, int kWrites>
__global__ void __launch_bounds__(kThreads)
    MixKernel(const uint4* in, uint4* out, std::int64_t count) {
  constexpr int kUnroll = kReads + kWrites > 3 ? 1 : 4;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * kThreads * kUnroll;
  uint4 value[kUnroll];
#pragma unroll
  for (int u = 0; u < kUnroll; ++u) {
    const std::int64_t i = first + u * kThreads + threadIdx.x;
    value[u] = kReads > 0 ? make_uint4(0, 0, 0, 0) : make_uint4(~0u, ~0u, ~0u, ~0u);
    if (i >= count) continue;
#pragma unroll
    for (int r = 0; r < kReads; ++r) value[u] = Xor(value[u], __ldcs(in + r * count + i));
  }
#pragma unroll
  for (int u = 0; u < kUnroll; ++u) {
    const std::int64_t i = first + u * kThreads + threadIdx.x;
    if (i >= count) continue;
#pragma unroll
    for (int w = 0; w < kWrites; ++w) __stcs(out + w * count + i, value[u]);
  }
}

/// Reads only: blocks that stay, so that what they found is handed in once.
__global__ void __launch_bounds__(1024)
    ReadKernel(const uint4* in, std::int64_t count, std::uint32_t* sink) {
  std::uint32_t all = 0;
#pragma unroll 8
  for (std::int64_t i = blockIdx.x * 1024 + threadIdx.x; i < count; i += gridDim.x * 1024) {
    all ^= Fold(__ldcs(in + i));
  }
  Sink(all, sink);
}

template <int kReads, int kWrites>
cudaError_t LaunchMix(const uint4* in, uint4* out, std::int64_t count, cudaStream_t stream) {
  constexpr int kUnroll = kReads + kWrites > 3 ? 1 : 4;
  const auto blocks =
      static_cast<unsigned>((count + kThreads * kUnroll - 1) / (kThreads * kUnroll));
  MixKernel<kReads, kWrites><<<blocks, kThreads, 0, stream>>>(in, out, count);
  return cudaGetLastError();
}

/// Lanes stride words apart; the stride-th part of the array after the other, so that a full pass
/// reads every word once, as the columns of a matrix would be read.
template <int kStride>
__global__ void __launch_bounds__(1024)
    StridedKernel(const std::uint32_t* in, std::int64_t count, std::uint32_t* sink) {
  std::uint32_t all = 0;
  const std::int64_t per = count / kStride;
  for (int part = 0; part < kStride; ++part) {
#pragma unroll 8
    for (std::int64_t i = blockIdx.x * 1024 + threadIdx.x; i < per; i += gridDim.x * 1024) {
      all ^= __ldcs(in + i * kStride + part);
    }
  }
  Sink(all, sink);
}

template <typename T>
__global__ void __launch_bounds__(kThreads) WidthKernel(const T* in, T* out, std::int64_t count) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < count) out[i] = in[i];
}

template <typename T>
cudaError_t LaunchWidth(const void* in, void* out, std::int64_t bytes, cudaStream_t stream) {
  const std::int64_t count = bytes / static_cast<std::int64_t>(sizeof(T));
  const auto blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
  WidthKernel<T>
      <<<blocks, kThreads, 0, stream>>>(static_cast<const T*>(in), static_cast<T*>(out), count);
  return cudaGetLastError();
}

template <Transposition kHow>
__global__ void __launch_bounds__(kThreads) TransposeKernel(const float* in, float* out, int size) {
  constexpr int kPitch = kHow == Transposition::kPadded ? 33 : 32;
  __shared__ float tile[32][kPitch];
  const int x = static_cast<int>(threadIdx.x) % 32;
  const int y = static_cast<int>(threadIdx.x) / 32;
  const std::int64_t row = blockIdx.y * 32;
  const std::int64_t column = blockIdx.x * 32;
  // Swizzled: row r keeps column c at c ^ r, which spreads a column over all banks without padding.
  const auto place = [](int r, int c) { return kHow == Transposition::kSwizzled ? c ^ r : c; };
#pragma unroll
  for (int i = 0; i < 32; i += 8) {
    const float value = in[(row + y + i) * size + column + x];
    if (kHow == Transposition::kNaive) {
      out[(column + x) * size + row + y + i] = value;
    } else {
      tile[y + i][place(y + i, x)] = value;
    }
  }
  if (kHow == Transposition::kNaive) return;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 32; i += 8) {
    out[(column + y + i) * size + row + x] = tile[x][place(x, y + i)];
  }
}

/// kThreads vectors a stage: 4 KiB.
template <int kDepth>
__global__ void __launch_bounds__(kThreads)
    AsyncRing(const uint4* in, std::int64_t count, std::uint32_t* sink) {
  extern __shared__ __align__(128) uint4 ring[];
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t stages = count / kThreads;
  const auto fetch = [&](std::int64_t turn) {
    const std::int64_t stage = blockIdx.x + turn * gridDim.x;
    if (stage < stages) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                       bulk::SharedAddress(ring + turn % kDepth * kThreads + thread)),
                   "l"(in + stage * kThreads + thread)
                   : "memory");
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  for (int i = 0; i < kDepth; ++i) fetch(i);
  std::uint32_t all = 0;
  for (std::int64_t turn = 0; blockIdx.x + turn * gridDim.x < stages; ++turn) {
    // Each thread reads what it fetched itself: no barrier is needed.
    asm volatile("cp.async.wait_group %0;" ::"n"(kDepth - 1) : "memory");
    all ^= Fold(ring[turn % kDepth * kThreads + thread]);
    fetch(turn + kDepth);
  }
  Sink(all, sink);
}

/// 256 threads read and a warp more feeds them: no reader waits for another.
template <int kDepth>
__global__ void __launch_bounds__(kThreads + 32)
    BulkRing(const uint4* in, std::int64_t count, std::uint32_t* sink) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) uint4 ring[];
  __shared__ std::uint64_t full[kDepth];
  __shared__ std::uint64_t empty[kDepth];
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t stages = count / kThreads;
  if (thread == 0) {
    for (auto& barrier : full) bulk::InitBarrier(&barrier, 1);
    for (auto& barrier : empty) bulk::InitBarrier(&barrier, kThreads);
    bulk::PublishBarriers();
  }
  __syncthreads();
  if (thread >= kThreads) {
    if (thread > kThreads) return;
    for (std::int64_t turn = 0; blockIdx.x + turn * gridDim.x < stages; ++turn) {
      const auto slot = turn % kDepth;
      bulk::Wait(&empty[slot], (turn / kDepth & 1) ^ 1);
      bulk::ArriveExpecting(&full[slot], kThreads * 16);
      bulk::Load(ring + slot * kThreads, in + (blockIdx.x + turn * gridDim.x) * kThreads,
                 kThreads * 16, &full[slot]);
    }
    return;
  }
  std::uint32_t all = 0;
  for (std::int64_t turn = 0; blockIdx.x + turn * gridDim.x < stages; ++turn) {
    const auto slot = turn % kDepth;
    bulk::Wait(&full[slot], turn / kDepth & 1);
    all ^= Fold(ring[slot * kThreads + thread]);
    // Every reader for itself: one lane could speak for its warp, but racecheck does not follow
    // that.
    bulk::Arrive(&empty[slot]);
  }
  Sink(all, sink);
#endif
}

template <int kDepth>
cudaError_t LaunchRing(bool engine, const uint4* in, std::int64_t count, std::uint32_t* sink,
                       cudaStream_t stream) {
  const auto kernel = engine ? BulkRing<kDepth> : AsyncRing<kDepth>;
  constexpr int kShared = kDepth * kThreads * 16;
  const cudaError_t raised =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
  if (raised != cudaSuccess) return raised;
  const int threads = engine ? kThreads + 32 : kThreads;
  kernel<<<static_cast<unsigned>(Processors()), threads, kShared, stream>>>(in, count, sink);
  return cudaGetLastError();
}

__global__ void __launch_bounds__(1024)
    AgainKernel(const uint4* in, std::int64_t count, int passes, std::uint32_t* sink) {
  std::uint32_t all = 0;
  for (int pass = 0; pass < passes; ++pass) {
    // Each pass begins elsewhere, so that no multiprocessor finds its own part in its L1.
    const std::int64_t offset = static_cast<std::int64_t>(pass) * 7 * 1024 * gridDim.x / 16;
#pragma unroll 4
    for (std::int64_t i = blockIdx.x * 1024 + threadIdx.x; i < count; i += gridDim.x * 1024) {
      std::int64_t at = i + offset % count;
      if (at >= count) at -= count;
      all ^= Fold(__ldcg(in + at));
    }
  }
  Sink(all, sink);
}

__global__ void __launch_bounds__(kSharedThreads)
    SharedKernel(int stride, int reads, std::uint32_t* sink) {
  __shared__ std::uint32_t words[2048];
  const int thread = static_cast<int>(threadIdx.x);
  words[thread] = static_cast<std::uint32_t>(thread);
  words[thread + 1024] = static_cast<std::uint32_t>(thread);
  __syncthreads();
  std::uint32_t all = 0;
  int at = thread % 32 * stride + thread / 32;
  for (int i = 0; i < reads; i += 8) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      // Volatile: each of the reads must happen.
      all += *(volatile std::uint32_t*)&words[(at + j * 32) & 2047];
    }
    at += 1;
  }
  if (all == 0x12345678u) atomicXor(sink, all);
}

}  // namespace

cudaError_t MixTraffic(int reads, int writes, const uint4* in, uint4* out, std::int64_t count,
                       std::uint32_t* sink, cudaStream_t stream) {
  switch (reads * 10 + writes) {
    case 10:
      ReadKernel<<<static_cast<unsigned>(Processors() * 2), 1024, 0, stream>>>(in, count, sink);
      return cudaGetLastError();
    case 41:
      return LaunchMix<4, 1>(in, out, count, stream);
    case 21:
      return LaunchMix<2, 1>(in, out, count, stream);
    case 11:
      return LaunchMix<1, 1>(in, out, count, stream);
    case 12:
      return LaunchMix<1, 2>(in, out, count, stream);
    case 16:
      return LaunchMix<1, 6>(in, out, count, stream);
    case 1:
      return LaunchMix<0, 1>(in, out, count, stream);
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t ReadStrided(int stride, const std::uint32_t* in, std::int64_t count,
                        std::uint32_t* sink, cudaStream_t stream) {
  const auto kernel = stride == 1    ? StridedKernel<1>
                      : stride == 2  ? StridedKernel<2>
                      : stride == 4  ? StridedKernel<4>
                      : stride == 8  ? StridedKernel<8>
                      : stride == 16 ? StridedKernel<16>
                                     : StridedKernel<32>;
  kernel<<<static_cast<unsigned>(Processors() * 2), 1024, 0, stream>>>(in, count, sink);
  return cudaGetLastError();
}

cudaError_t CopyByWidth(int width, const void* in, void* out, std::int64_t bytes,
                        cudaStream_t stream) {
  if (width == 1) return LaunchWidth<std::uint8_t>(in, out, bytes, stream);
  if (width == 2) return LaunchWidth<std::uint16_t>(in, out, bytes, stream);
  if (width == 4) return LaunchWidth<std::uint32_t>(in, out, bytes, stream);
  if (width == 8) return LaunchWidth<uint2>(in, out, bytes, stream);
  return LaunchWidth<uint4>(in, out, bytes, stream);
}

cudaError_t Transpose(Transposition how, const float* in, float* out, int size,
                      cudaStream_t stream) {
  const dim3 grid(size / 32, size / 32);
  const auto kernel = how == Transposition::kNaive    ? TransposeKernel<Transposition::kNaive>
                      : how == Transposition::kShared ? TransposeKernel<Transposition::kShared>
                      : how == Transposition::kPadded ? TransposeKernel<Transposition::kPadded>
                                                      : TransposeKernel<Transposition::kSwizzled>;
  kernel<<<grid, kThreads, 0, stream>>>(in, out, size);
  return cudaGetLastError();
}

cudaError_t ReadThroughRing(bool engine, int depth, const uint4* in, std::int64_t count,
                            std::uint32_t* sink, cudaStream_t stream) {
  if (depth == 1) return LaunchRing<1>(engine, in, count, sink, stream);
  if (depth == 2) return LaunchRing<2>(engine, in, count, sink, stream);
  if (depth == 4) return LaunchRing<4>(engine, in, count, sink, stream);
  if (depth == 8) return LaunchRing<8>(engine, in, count, sink, stream);
  return LaunchRing<16>(engine, in, count, sink, stream);
}

cudaError_t ReadAgain(const uint4* in, std::int64_t count, int passes, std::uint32_t* sink,
                      cudaStream_t stream) {
  AgainKernel<<<static_cast<unsigned>(Processors() * 2), 1024, 0, stream>>>(in, count, passes,
                                                                            sink);
  return cudaGetLastError();
}

cudaError_t ReadShared(int stride, int reads, std::uint32_t* sink, cudaStream_t stream) {
  SharedKernel<<<static_cast<unsigned>(Processors() * 2), kSharedThreads, 0, stream>>>(stride,
                                                                                       reads, sink);
  return cudaGetLastError();
}

}  // namespace sibyl::lab::memory
