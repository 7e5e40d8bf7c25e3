// SPDX-License-Identifier: Apache-2.0
// Texture channels of RGB images: colour, CIE Lab and Sobel gradient in one pass over memory.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace sibyl::lab::texture {

constexpr int kChannels = 9;  ///< R, G, B, L, a, b, gx, gy, |g|.

/// Red, green and blue of a pixel stand together, as decoders give them:
/// [images][height][width][3]. The channels come out as planes of IEEE half:
/// [images][9][height][width]. R, G, B in [0, 1]; L in [0, 100], a and b in CIE units (sRGB, D65);
/// the gradient is Sobel's, divided by 8, of the luma 0.299 R + 0.587 G + 0.114 B, with the border
/// repeated.
struct Shape {
  std::int64_t images = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
};

enum class Variant {
  kPlain,  ///< One pixel a thread, nine luma reads. Any shape.
  kStrip,  ///< Eight pixels a thread down a strip of rows. Width a multiple of 8.
  kBulk,   ///< The strip, its rows leaving through shared memory by bulk copies. sm_90 and newer.
  kRows,   ///< Whole rows side by side, no thread waiting for another. Width a multiple of 8.
  kOnce,   ///< The same, a block for every two rows. Width a multiple of 8.
};

/// Empty, or why this shape or device cannot have that variant.
const char* WhyNot(Variant variant, const Shape& shape, int compute_capability);

/// Enqueues; captures into graphs. rgb and out aligned to 16 bytes.
cudaError_t Extract(Variant variant, const std::uint8_t* rgb, std::uint16_t* out,
                    const Shape& shape, cudaStream_t stream);

/// The fastest one that can.
Variant Best(const Shape& shape, int compute_capability);

}  // namespace sibyl::lab::texture
