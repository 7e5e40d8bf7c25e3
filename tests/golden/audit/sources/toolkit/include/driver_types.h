// SPDX-License-Identifier: Apache-2.0
/* Types of the runtime. */
#ifndef TOOLKIT_DRIVER_TYPES_H
#define TOOLKIT_DRIVER_TYPES_H

typedef struct toolkit_stream* cudaStream_t;
typedef struct toolkit_event* cudaEvent_t;
typedef struct toolkit_graph* cudaGraph_t;
typedef struct toolkit_graph_exec* cudaGraphExec_t;

typedef enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchFailure = 719,
} cudaError_t;

/* The stream does not wait for the default stream. */
#define cudaStreamNonBlocking 0x01
#define cudaEventDisableTiming 0x02
#define cudaHostAllocPortable 0x01

enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDefault };
enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeRelaxed };

#endif
