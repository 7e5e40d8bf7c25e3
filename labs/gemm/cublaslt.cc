// SPDX-License-Identifier: Apache-2.0
#include "gemm/cublaslt.h"

#include <cublasLt.h>
#include <dlfcn.h>

#include <array>

#include "harness/buffer.h"
#include "harness/device.h"

namespace sibyl::lab::gemm {
namespace {

constexpr std::size_t kWorkspace = std::size_t{64} << 20;
constexpr int kMostChoices = 4;

struct Types {
  cudaDataType_t input;
  cudaDataType_t output;
  cublasComputeType_t compute;
};

Types TypesOf(Type type) {
  switch (type) {
    case Type::kFloat:
      return {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case Type::kTf32:
      return {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32};
    case Type::kHalf:
      return {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F};
    case Type::kBf16:
      return {CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F};
    case Type::kE4m3:
      break;
  }
  return {CUDA_R_8F_E4M3, CUDA_R_16BF, CUBLAS_COMPUTE_32F};
}

}  // namespace

struct CublasLt::State {
  void* file = nullptr;
  decltype(&cublasLtCreate) create = nullptr;
  decltype(&cublasLtMatmulDescCreate) describe = nullptr;
  decltype(&cublasLtMatmulDescSetAttribute) set = nullptr;
  decltype(&cublasLtMatrixLayoutCreate) layout = nullptr;
  decltype(&cublasLtMatmulPreferenceCreate) prefer = nullptr;
  decltype(&cublasLtMatmulPreferenceSetAttribute) prefer_set = nullptr;
  decltype(&cublasLtMatmulAlgoGetHeuristic) heuristic = nullptr;
  decltype(&cublasLtMatmul) multiply = nullptr;

  cublasLtHandle_t handle = nullptr;
  cublasLtMatmulDesc_t operation = nullptr;
  cublasLtMatrixLayout_t b = nullptr;
  cublasLtMatrixLayout_t a = nullptr;
  cublasLtMatrixLayout_t c = nullptr;
  std::array<cublasLtMatmulHeuristicResult_t, kMostChoices> found{};
  int choices = 0;
  Buffer<unsigned char> workspace;

  template <typename Function>
  bool Load(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(file, name));
    return function != nullptr;
  }
  bool LoadAll() {
    return Load(create, "cublasLtCreate") && Load(describe, "cublasLtMatmulDescCreate") &&
           Load(set, "cublasLtMatmulDescSetAttribute") &&
           Load(layout, "cublasLtMatrixLayoutCreate") &&
           Load(prefer, "cublasLtMatmulPreferenceCreate") &&
           Load(prefer_set, "cublasLtMatmulPreferenceSetAttribute") &&
           Load(heuristic, "cublasLtMatmulAlgoGetHeuristic") && Load(multiply, "cublasLtMatmul");
  }
};

CublasLt::CublasLt() : state_(std::make_unique<State>()) {
  const std::string name = "libcublasLt.so." + std::to_string(CUBLAS_VER_MAJOR);
  for (const std::string& path : {name, "/usr/local/cuda/lib64/" + name}) {
    state_->file = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (state_->file != nullptr) break;
  }
  if (state_->file == nullptr || !state_->LoadAll()) {
    missing_ = "loading " + name + ": not found; put its folder on LD_LIBRARY_PATH";
    return;
  }
  if (state_->create(&state_->handle) != CUBLAS_STATUS_SUCCESS) {
    missing_ = "opening cuBLASLt: it refused this device";
    return;
  }
  state_->workspace = Buffer<unsigned char>(kWorkspace);
}

// Handles and descriptors live as long as the program; so does the library.
CublasLt::~CublasLt() = default;

int CublasLt::choices() const { return state_->choices; }

std::string CublasLt::Prepare(Type type, const Shape& shape) {
  State& s = *state_;
  const Types types = TypesOf(type);
  const auto m = static_cast<std::uint64_t>(shape.m);
  const auto n = static_cast<std::uint64_t>(shape.n);
  const auto k = static_cast<std::uint64_t>(shape.k);
  s.choices = 0;
  // cuBLAS counts columns first: C read that way is n x m, the product of B transposed and A.
  const cublasOperation_t transposed = CUBLAS_OP_T;
  cublasLtMatmulPreference_t preference = nullptr;
  s.describe(&s.operation, types.compute, CUDA_R_32F);
  s.set(s.operation, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed);
  s.layout(&s.b, types.input, k, n, shape.k);
  s.layout(&s.a, types.input, k, m, shape.k);
  s.layout(&s.c, types.output, n, m, shape.n);
  s.prefer(&preference);
  s.prefer_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &kWorkspace,
               sizeof kWorkspace);
  const cublasStatus_t status = s.heuristic(s.handle, s.operation, s.b, s.a, s.c, s.c, preference,
                                            kMostChoices, s.found.data(), &s.choices);
  if (status == CUBLAS_STATUS_SUCCESS && s.choices > 0) return "";
  s.choices = 0;
  return "asking cuBLASLt for an algorithm: status " + std::to_string(status);
}

void CublasLt::Run(int choice, const Operands& operands, cudaStream_t stream) {
  State& s = *state_;
  const float one = 1;
  const float zero = 0;
  const cublasStatus_t status =
      s.multiply(s.handle, s.operation, &one, operands.b, s.b, operands.a, s.a, &zero, operands.c,
                 s.c, operands.c, s.c, &s.found[static_cast<std::size_t>(choice)].algo,
                 s.workspace.data(), kWorkspace, stream);
  if (status != CUBLAS_STATUS_SUCCESS) Check(cudaErrorUnknown, "multiplying by cuBLASLt");
}

}  // namespace sibyl::lab::gemm
