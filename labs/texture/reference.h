// SPDX-License-Identifier: Apache-2.0
// The texture channels in float64, straight from their definitions.
#pragma once

#include <array>
#include <cstdint>

#include "texture/texture.h"

namespace sibyl::lab::texture {

/// The nine channels of one pixel of one image (height x width x 3 bytes).
std::array<double, kChannels> ReferencePixel(const std::uint8_t* rgb, const Shape& shape,
                                             std::int64_t y, std::int64_t x);

/// What errors of each channel are measured against: the width of its range.
constexpr std::array<double, kChannels> kScale = {1, 1, 1, 100, 100, 100, 1, 1, 1};

}  // namespace sibyl::lab::texture
