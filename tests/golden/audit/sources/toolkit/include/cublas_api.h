// SPDX-License-Identifier: Apache-2.0
/* Matrix functions. */
#include "driver_types.h"

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
} cublasStatus_t;

typedef enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C } cublasOperation_t;
typedef enum { CUBLAS_DEFAULT_MATH, CUBLAS_TF32_TENSOR_OP_MATH, CUBLAS_PEDANTIC_MATH } cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_16F,
  CUBLAS_COMPUTE_32F,
  CUBLAS_COMPUTE_32F_FAST_TF32,
  CUBLAS_COMPUTE_64F
} cublasComputeType_t;
typedef struct toolkit_cublas* cublasHandle_t;

cublasStatus_t cublasCreate_v2(toolkit_arguments arguments);
cublasStatus_t cublasDestroy_v2(toolkit_arguments arguments);
cublasStatus_t cublasSetStream_v2(toolkit_arguments arguments);
cublasStatus_t cublasGetStream_v2(toolkit_arguments arguments);
cublasStatus_t cublasSetMathMode(toolkit_arguments arguments);
cublasStatus_t cublasGetMathMode(toolkit_arguments arguments);
cublasStatus_t cublasSgemm_v2(toolkit_arguments arguments);
cublasStatus_t cublasDgemm_v2(toolkit_arguments arguments);
cublasStatus_t cublasGemmEx(toolkit_arguments arguments);
cublasStatus_t cublasGemmStridedBatchedEx(toolkit_arguments arguments);
cublasStatus_t cublasSaxpy_v2(toolkit_arguments arguments);
cublasStatus_t cublasSetWorkspace_v2(toolkit_arguments arguments);
cublasStatus_t cublasGetVersion_v2(toolkit_arguments arguments);
