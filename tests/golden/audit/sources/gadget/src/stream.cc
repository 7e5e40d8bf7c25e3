// SPDX-License-Identifier: Apache-2.0
// Streams do not wait for the default stream.
#include "gadget/stream.h"

#include <cuda_runtime_api.h>

#include "gadget/tile.h"

namespace gadget {

Stream::Stream(int priority) {
  cudaStream_t stream;
  GADGET_CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority));
}

void Stream::Synchronize() { GADGET_CHECK(cudaStreamSynchronize(nullptr)); }

}  // namespace gadget
