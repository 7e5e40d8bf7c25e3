// SPDX-License-Identifier: Apache-2.0
#include "graphs/graphs.h"

namespace sibyl::lab::graphs {
namespace {

__global__ void Step(long long cycles, std::uint64_t* count) {
  const long long began = clock64();
  while (clock64() - began < cycles) {
  }
  *count += 1;
}

__global__ void Begin(cudaGraphConditionalHandle handle, int steps, int* left) {
  *left = steps;
  cudaGraphSetConditional(handle, 1);
}

/// The step of the loop and its decision in one kernel, as a training loop's last kernel would have
/// it.
__global__ void StepAndDecide(cudaGraphConditionalHandle handle, long long cycles,
                              std::uint64_t* count, int* left) {
  const long long began = clock64();
  while (clock64() - began < cycles) {
  }
  *count += 1;
  *left -= 1;
  cudaGraphSetConditional(handle, *left > 0 ? 1 : 0);
}

cudaError_t AddKernel(cudaGraph_t graph, void* function, void** arguments,
                      const cudaGraphNode_t* after, cudaGraphNode_t* node) {
  cudaKernelNodeParams params{};
  params.func = function;
  params.gridDim = dim3(1);
  params.blockDim = dim3(1);
  params.kernelParams = arguments;
  return cudaGraphAddKernelNode(node, graph, after, after == nullptr ? 0 : 1, &params);
}

}  // namespace

cudaError_t LaunchStep(long long cycles, std::uint64_t* count, cudaStream_t stream) {
  Step<<<1, 1, 0, stream>>>(cycles, count);
  return cudaGetLastError();
}

cudaError_t BuildLoop(long long cycles, int steps, std::uint64_t* count, int* left,
                      cudaGraphExec_t* executable) {
  cudaGraph_t graph = nullptr;
  cudaError_t status = cudaGraphCreate(&graph, 0);
  if (status != cudaSuccess) return status;
  cudaGraphConditionalHandle handle{};
  status = cudaGraphConditionalHandleCreate(&handle, graph, 0, 0);
  if (status != cudaSuccess) return status;
  void* begin_arguments[] = {&handle, &steps, &left};
  cudaGraphNode_t begin = nullptr;
  status = AddKernel(graph, reinterpret_cast<void*>(Begin), begin_arguments, nullptr, &begin);
  if (status != cudaSuccess) return status;
  cudaGraphNodeParams loop{};
  loop.type = cudaGraphNodeTypeConditional;
  loop.conditional.handle = handle;
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  cudaGraphNode_t loop_node = nullptr;
#if CUDART_VERSION >= 13000
  status = cudaGraphAddNode(&loop_node, graph, &begin, nullptr, 1, &loop);
#else
  status = cudaGraphAddNode(&loop_node, graph, &begin, 1, &loop);
#endif
  if (status != cudaSuccess) return status;
  cudaGraph_t body = loop.conditional.phGraph_out[0];
  void* step_arguments[] = {&handle, &cycles, &count, &left};
  cudaGraphNode_t step = nullptr;
  status = AddKernel(body, reinterpret_cast<void*>(StepAndDecide), step_arguments, nullptr, &step);
  if (status != cudaSuccess) return status;
  status = cudaGraphInstantiate(executable, graph, 0);
  cudaGraphDestroy(graph);
  return status;
}

}  // namespace sibyl::lab::graphs
