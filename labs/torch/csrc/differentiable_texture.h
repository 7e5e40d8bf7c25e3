// SPDX-License-Identifier: Apache-2.0
// The texture channels of images in floating point, and their derivative.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace sibyl::vision {

struct ImageShape {
  std::int64_t images = 0;
  int height = 0;
  int width = 0;
};

/// rgb: [images][height][width][3] in [0, 1]; out: [images][9][height][width]. The channels of
/// labs/texture, in the type of the input. T is float or double.
template <typename T>
cudaError_t TextureForward(const T* rgb, T* out, const ImageShape& shape, cudaStream_t stream);

/// grad: of the nine channels; slopes: scratch, two numbers a pixel; drgb: of the input. Where the
/// gradient's magnitude is zero its derivative is taken as zero.
template <typename T>
cudaError_t TextureBackward(const T* rgb, const T* grad, T* slopes, T* drgb,
                            const ImageShape& shape, cudaStream_t stream);

}  // namespace sibyl::vision
