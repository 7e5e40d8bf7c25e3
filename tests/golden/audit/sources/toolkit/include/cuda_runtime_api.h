// SPDX-License-Identifier: Apache-2.0
/* Functions of the runtime, as the fictional toolkit of these tests has them. */
#ifndef TOOLKIT_CUDA_RUNTIME_API_H
#define TOOLKIT_CUDA_RUNTIME_API_H

#include "driver_types.h"

#define CUDART_VERSION 12600

extern cudaError_t cudaMalloc(toolkit_arguments arguments);
extern cudaError_t cudaMallocHost(toolkit_arguments arguments);
/* The memory may be used by work that is put into the same stream later. */
extern cudaError_t cudaMallocAsync(toolkit_arguments arguments);
extern cudaError_t cudaFree(toolkit_arguments arguments);
extern cudaError_t cudaFreeAsync(toolkit_arguments arguments);
extern cudaError_t cudaFreeHost(toolkit_arguments arguments);
extern cudaError_t cudaMemcpy(toolkit_arguments arguments);
extern cudaError_t cudaMemcpyAsync(toolkit_arguments arguments);
extern cudaError_t cudaMemcpyPeerAsync(toolkit_arguments arguments);
extern cudaError_t cudaMemset(toolkit_arguments arguments);
extern cudaError_t cudaMemsetAsync(toolkit_arguments arguments);
extern cudaError_t cudaMemGetInfo(toolkit_arguments arguments);
extern cudaError_t cudaStreamCreate(toolkit_arguments arguments);
extern cudaError_t cudaStreamCreateWithPriority(toolkit_arguments arguments);
extern cudaError_t cudaStreamDestroy(toolkit_arguments arguments);
/* Waits until the stream has nothing left to do. */
extern cudaError_t cudaStreamSynchronize(toolkit_arguments arguments);
extern cudaError_t cudaStreamWaitEvent(toolkit_arguments arguments);
extern cudaError_t cudaStreamBeginCapture(toolkit_arguments arguments);
extern cudaError_t cudaStreamEndCapture(toolkit_arguments arguments);
extern cudaError_t cudaEventCreate(toolkit_arguments arguments);
extern cudaError_t cudaEventRecord(toolkit_arguments arguments);
extern cudaError_t cudaEventSynchronize(toolkit_arguments arguments);
/* The result is in milliseconds, exact to about half a microsecond. */
extern cudaError_t cudaEventElapsedTime(toolkit_arguments arguments);
extern cudaError_t cudaEventDestroy(toolkit_arguments arguments);
extern cudaError_t cudaGraphInstantiate(toolkit_arguments arguments);
/* A graph that is still running must not be launched a second time. */
extern cudaError_t cudaGraphLaunch(toolkit_arguments arguments);
extern cudaError_t cudaGraphDestroy(toolkit_arguments arguments);
extern cudaError_t cudaGraphExecDestroy(toolkit_arguments arguments);
extern cudaError_t cudaDeviceSynchronize(void);
extern cudaError_t cudaGetDeviceCount(toolkit_arguments arguments);
extern cudaError_t cudaSetDevice(toolkit_arguments arguments);
extern cudaError_t cudaGetDeviceProperties(toolkit_arguments arguments);
extern cudaError_t cudaGetLastError(void);
extern cudaError_t cudaPeekAtLastError(void);
extern cudaError_t cudaGetErrorString(toolkit_arguments arguments);
extern cudaError_t cudaHostRegister(toolkit_arguments arguments);
extern cudaError_t cudaFuncSetAttribute(toolkit_arguments arguments);
extern cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(toolkit_arguments arguments);
extern cudaError_t cudaLaunchKernel(toolkit_arguments arguments);
extern cudaError_t cudaPointerGetAttributes(toolkit_arguments arguments);

#endif
