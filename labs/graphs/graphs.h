// SPDX-License-Identifier: Apache-2.0
// A chain of kernels of a chosen length, started in three ways.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace sibyl::lab::graphs {

/// One block that takes `cycles` clocks and then adds one to *count.
cudaError_t LaunchStep(long long cycles, std::uint64_t* count, cudaStream_t stream);

/// A graph whose one node is a loop: its body is a step and a kernel that decides, on the device,
/// whether `steps` of them have run. Needs CUDA 12.4.
cudaError_t BuildLoop(long long cycles, int steps, std::uint64_t* count, int* left,
                      cudaGraphExec_t* graph);

}  // namespace sibyl::lab::graphs
