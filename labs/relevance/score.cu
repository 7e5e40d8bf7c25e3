// SPDX-License-Identifier: Apache-2.0
// With y = (x, 1) both maps are one matrix A (1536 x 14), and
//   cosine = q . A y / (|q| |A y|) = (A^T q) . y / (|q| |T y|),   T^T T = A^T A.
// A^T q is 14 numbers an image, T a triangle of 105 numbers: a patch costs 133 multiplications
// where the features cost 99,000. |A y| as a sum of squares of T y, not as y . (A^T A) y: the
// quadratic form cancels, and would lose twice the digits where A nearly annihilates y. T comes
// from a Cholesky factorisation in float64.
#include "relevance/numbers.cuh"
#include "relevance/relevance.h"

namespace sibyl::lab::relevance {
namespace {

constexpr int kThreads = 512;
constexpr int kImages = 2;  // A block's: they share each load of A.
constexpr int kHalf = kThreads / kImages;
constexpr int kTile = 1024;  // Patches of an image a block scores at a time.
constexpr int kTileBytes = kTile * kChannels * 2;
constexpr int kSums = 32;  // 14 dots and |q|^2 for each of two images, padded.

struct ScoreScratch {
  unsigned char patches[kImages][kTileBytes];
  float sums[kThreads / 32][kSums];
  float triangle[kTriangle + 3];
};

__device__ __forceinline__ void CopyAsync(void* to, const void* from) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
}

/// Sums 32 values over a warp with 31 shuffles: each step sends the half that the other lane keeps.
/// Lane i ends with the sum of value i.
__device__ __forceinline__ float ScatterSum(float (&values)[kSums]) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int step = 0; step < 5; ++step) {
    const int width = 16 >> step;
    const bool upper = (lane & width) != 0;
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      if (i >= width) continue;
      const float sent = upper ? values[i] : values[i + width];
      const float kept = upper ? values[i + width] : values[i];
      values[i] = kept + __shfl_xor_sync(kAll, sent, width);
    }
  }
  return values[0];
}

/// A^T q and |q|^2 of both images; lane i of every warp ends with number i % 16 of image i / 16.
__device__ __forceinline__ float FoldQueries(const Folded* folded, const float (&query)[3][kImages],
                                             ScoreScratch& scratch) {
  const int thread = static_cast<int>(threadIdx.x);
  float values[kSums] = {};
#pragma unroll
  for (int part = 0; part < 3; ++part) {
    const int feature = thread + part * kThreads;
#pragma unroll
    for (int input = 0; input < kInputs; ++input) {
      // Not through the read-only path: the fold may have written it since this kernel began.
      const float a = __ldcg(&folded->map[input][feature]);
#pragma unroll
      for (int image = 0; image < kImages; ++image) {
        values[image * 16 + input] = fmaf(a, query[part][image], values[image * 16 + input]);
      }
    }
#pragma unroll
    for (int image = 0; image < kImages; ++image) {
      values[image * 16 + 15] =
          fmaf(query[part][image], query[part][image], values[image * 16 + 15]);
    }
  }
  scratch.sums[thread / 32][thread % 32] = ScatterSum(values);
  if (thread < kTriangle) scratch.triangle[thread] = __ldcg(&folded->triangle[thread]);
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int warp = 0; warp < kThreads / 32; ++warp) sum += scratch.sums[warp][thread % 32];
  return sum;
}

/// Two patches stand in 13 words.
__device__ __forceinline__ void Unpack(const std::uint32_t* words, float (&first)[kInputs],
                                       float (&second)[kInputs]) {
#pragma unroll
  for (int i = 0; i < 6; ++i) {
    const std::uint32_t early = words[i];
    first[2 * i] = Low(early);
    first[2 * i + 1] = High(early);
    const std::uint32_t late = words[7 + i];
    second[2 * i + 1] = Low(late);
    second[2 * i + 2] = High(late);
  }
  const std::uint32_t middle = words[6];
  first[12] = Low(middle);
  second[0] = High(middle);
  first[13] = 1;
  second[13] = 1;
}

struct Scored {
  const Folded* folded;
  const std::uint16_t* patches;
  const std::uint16_t* queries;
  float* scores;
  int images;
  int per_image;
};

__device__ __forceinline__ void StartTile(const Scored& scored, int first, ScoreScratch& scratch) {
  const int here = min(kTile, scored.per_image - first);
  const int vectors = here * kChannels * 2 / 16;
#pragma unroll
  for (int slot = 0; slot < kImages; ++slot) {
    const int image = static_cast<int>(blockIdx.x) * kImages + slot;
    if (image >= scored.images) continue;
    const std::uint16_t* from =
        scored.patches + (static_cast<std::int64_t>(image) * scored.per_image + first) * kChannels;
    for (int i = static_cast<int>(threadIdx.x); i < vectors; i += kThreads) {
      CopyAsync(scratch.patches[slot] + i * 16, reinterpret_cast<const uint4*>(from) + i);
    }
  }
}

template <int kCount>
__device__ __forceinline__ void Cosines(const float (&inputs)[kCount][kInputs],
                                        const float* triangle, const float (&dots)[kInputs],
                                        float inverse_query, float (&cosines)[kCount]) {
  float squares[kCount] = {};
  float products[kCount] = {};
#pragma unroll
  for (int row = 0; row < kInputs; ++row) {
    float sums[kCount] = {};
#pragma unroll
    for (int column = row; column < kInputs; ++column) {
      const float t = triangle[InTriangle(row, column)];
#pragma unroll
      for (int p = 0; p < kCount; ++p) sums[p] = fmaf(t, inputs[p][column], sums[p]);
    }
#pragma unroll
    for (int p = 0; p < kCount; ++p) {
      squares[p] = fmaf(sums[p], sums[p], squares[p]);
      products[p] = fmaf(dots[row], inputs[p][row], products[p]);
    }
  }
#pragma unroll
  for (int p = 0; p < kCount; ++p) {
    cosines[p] = squares[p] > 0 ? products[p] * inverse_query * rsqrtf(squares[p]) : 0.0f;
  }
}

template <bool kAfterFold>
__global__ void __launch_bounds__(kThreads, 1) ScorePatches(Scored scored) {
  extern __shared__ __align__(16) unsigned char shared[];
  auto& scratch = *reinterpret_cast<ScoreScratch*>(shared);
  const int thread = static_cast<int>(threadIdx.x);
  const int first = static_cast<int>(blockIdx.y) * kTile;
  StartTile(scored, first, scratch);
  float query[3][kImages];
#pragma unroll
  for (int part = 0; part < 3; ++part) {
#pragma unroll
    for (int slot = 0; slot < kImages; ++slot) {
      const int image = min(static_cast<int>(blockIdx.x) * kImages + slot, scored.images - 1);
      query[part][slot] = FromBf16(
          scored.queries[static_cast<std::int64_t>(image) * kFeatures + thread + part * kThreads]);
    }
  }
#if __CUDA_ARCH__ >= 900
  // Patches and queries are older than the fold; only what it wrote must be waited for.
  if (kAfterFold) asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
  const float sum = FoldQueries(scored.folded, query, scratch);
  const int slot = thread / kHalf;
  const int image = static_cast<int>(blockIdx.x) * kImages + slot;
  float dots[kInputs];
#pragma unroll
  for (int i = 0; i < kInputs; ++i) dots[i] = __shfl_sync(kAll, sum, slot * 16 + i);
  const float square = __shfl_sync(kAll, sum, slot * 16 + 15);
  const float inverse_query = square > 0 ? rsqrtf(square) : 0.0f;
  if (image >= scored.images) return;
  const int pairs = min(kTile, scored.per_image - first) / 2;
  float* scores = scored.scores + static_cast<std::int64_t>(image) * scored.per_image + first;
  const auto* words = reinterpret_cast<const std::uint32_t*>(scratch.patches[slot]);
  // Four patches at once: each number of the triangle is read from shared memory once for them.
  const int near = thread % kHalf;
  const int far = near + kHalf;
  if (near >= pairs) return;
  float inputs[4][kInputs];
  Unpack(words + near * kChannels, inputs[0], inputs[1]);
  Unpack(words + min(far, pairs - 1) * kChannels, inputs[2], inputs[3]);
  float cosines[4];
  Cosines(inputs, scratch.triangle, dots, inverse_query, cosines);
  reinterpret_cast<float2*>(scores)[near] = make_float2(cosines[0], cosines[1]);
  if (far < pairs) reinterpret_cast<float2*>(scores)[far] = make_float2(cosines[2], cosines[3]);
}

cudaError_t LaunchScore(const Scored& scored, bool after_fold, cudaStream_t stream) {
  const auto kernel = after_fold ? ScorePatches<true> : ScorePatches<false>;
  const cudaError_t raised = cudaFuncSetAttribute(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(ScoreScratch));
  if (raised != cudaSuccess) return raised;
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim =
      dim3((scored.images + kImages - 1) / kImages, (scored.per_image + kTile - 1) / kTile);
  config.blockDim = dim3(kThreads);
  config.dynamicSmemBytes = sizeof(ScoreScratch);
  config.stream = stream;
  config.attrs = &overlap;
  config.numAttrs = after_fold ? 1 : 0;
  return cudaLaunchKernelEx(&config, kernel, scored);
}

Scored Describe(const Folded* folded, const std::uint16_t* patches, const std::uint16_t* queries,
                float* scores, const Shape& shape) {
  return {.folded = folded,
          .patches = patches,
          .queries = queries,
          .scores = scores,
          .images = static_cast<int>(shape.images),
          .per_image = static_cast<int>(shape.patches)};
}

}  // namespace

cudaError_t Score(const Folded* folded, const std::uint16_t* patches, const std::uint16_t* queries,
                  float* scores, const Shape& shape, cudaStream_t stream) {
  return LaunchScore(Describe(folded, patches, queries, scores, shape), false, stream);
}

cudaError_t FoldAndScore(const Weights& weights, Folded* folded, const std::uint16_t* patches,
                         const std::uint16_t* queries, float* scores, const Shape& shape,
                         cudaStream_t stream) {
  const cudaError_t status = Fold(weights, folded, stream);
  if (status != cudaSuccess) return status;
  int device = 0;
  int major = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  const Scored scored = Describe(folded, patches, queries, scores, shape);
  return LaunchScore(scored, major >= 9, stream);
}

const char* WhyNot(const Shape& shape) {
  if (shape.patches % 8 != 0) return "the patches of an image are no multiple of 8";
  if (shape.patches > 1 << 25 || shape.images > 1 << 24) return "too many patches";
  return "";
}

}  // namespace sibyl::lab::relevance
