// SPDX-License-Identifier: Apache-2.0
// Work for the device whose length can be chosen.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace sibyl::lab::overlap {

/// Replaces every x by x / 2 + 1, rounds times over.
cudaError_t Halve(float* data, std::int64_t count, int rounds, cudaStream_t stream);

}  // namespace sibyl::lab::overlap
