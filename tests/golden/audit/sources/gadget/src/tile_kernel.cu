// SPDX-License-Identifier: Apache-2.0
// One block filters one tile; the rim is read from its neighbours.
#include "gadget/tile.h"

namespace gadget {

constexpr int kThreadsPerTile = 256;

__global__ void FilterTile(const float* input, float* output, int pitch) {
  __shared__ float tile[64 + 2 * GADGET_TILE_RIM][64 + 2 * GADGET_TILE_RIM];
  const int x = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = input[blockIdx.y * pitch + x];
  __syncthreads();
  output[blockIdx.y * pitch + x] = tile[threadIdx.y][threadIdx.x];
}

}  // namespace gadget
