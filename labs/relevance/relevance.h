// SPDX-License-Identifier: Apache-2.0
// How well each patch of an image answers a query: the cosine between the query and the patch's
// features, without ever making the features.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace sibyl::lab::relevance {

constexpr int kChannels = 13;
constexpr int kHidden = 64;
constexpr int kFeatures = 1536;
constexpr int kInputs = kChannels + 1;  ///< The channels and a constant 1.
constexpr int kTriangle = kInputs * (kInputs + 1) / 2;

/// Two linear maps with bias, bf16: features = W2 (W1 x + b1) + b2.
struct Weights {
  const std::uint16_t* w1 = nullptr;  ///< [64][13]
  const std::uint16_t* b1 = nullptr;  ///< [64]
  const std::uint16_t* w2 = nullptr;  ///< [1536][64]
  const std::uint16_t* b2 = nullptr;  ///< [1536]
};

/// What the weights become: features = A (x, 1), and a triangle with |A (x, 1)| = |T (x, 1)|.
struct Folded {
  float map[kInputs][kFeatures];              ///< A, transposed.
  float triangle[kTriangle];                  ///< T, upper, row by row.
  double partial[kFeatures / 32][kTriangle];  ///< Scratch of Fold.
  unsigned arrived;                           ///< Scratch of Fold; zero before and after.
};

struct Shape {
  std::int64_t images = 0;
  std::int64_t patches = 0;  ///< Of each image.
};

/// Once per set of weights. folded->arrived must have been zeroed once, by whoever allocated it.
cudaError_t Fold(const Weights& weights, Folded* folded, cudaStream_t stream);

/// patches: [images][patches][13] bf16, aligned to 16 bytes; queries: [images][1536] bf16; scores:
/// [images][patches] float. A feature vector or query of length 0 scores 0.
cudaError_t Score(const Folded* folded, const std::uint16_t* patches, const std::uint16_t* queries,
                  float* scores, const Shape& shape, cudaStream_t stream);

/// Both, for weights that change with every call (training); the second kernel starts while the
/// first still runs.
cudaError_t FoldAndScore(const Weights& weights, Folded* folded, const std::uint16_t* patches,
                         const std::uint16_t* queries, float* scores, const Shape& shape,
                         cudaStream_t stream);

/// Empty, or why this shape cannot be had.
const char* WhyNot(const Shape& shape);

}  // namespace sibyl::lab::relevance
