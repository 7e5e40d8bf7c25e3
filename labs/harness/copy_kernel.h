// SPDX-License-Identifier: Apache-2.0
// Copies by 16-byte loads and stores: with the driver's own copy, what the memory can do.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace sibyl::lab {

/// bytes must be a multiple of 16, the pointers aligned to 16.
/// Four vectors a thread, streaming.
void CopyKernel(void* to, const void* from, std::size_t bytes, cudaStream_t stream);
/// One vector a thread; on an H200 this is the fastest of the three.
void CopyKernelPlain(void* to, const void* from, std::size_t bytes, cudaStream_t stream);

}  // namespace sibyl::lab
