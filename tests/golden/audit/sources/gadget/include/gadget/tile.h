// SPDX-License-Identifier: Apache-2.0
// A square of pixels with a rim.
#pragma once

#define GADGET_TILE_RIM 4
#define GADGET_HOST_DEVICE __host__ __device__
#define GADGET_CHECK(call) ::gadget::CheckStatus((call), #call, __FILE__, __LINE__)

namespace gadget {

struct TileShape {
  int width = 64;
  int height = 64;
};

template <typename Pixel>
class TileView {
 public:
  GADGET_HOST_DEVICE Pixel& At(int x, int y);
};

void CheckStatus(int status, const char* call, const char* file, int line);

}  // namespace gadget
