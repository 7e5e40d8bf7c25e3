// SPDX-License-Identifier: Apache-2.0
// Well-known families of names, with the file that a source must have to be
// their home. Others are learned from the sources (family.cc). Prefixes that
// must never be learned are here too: a project that reads many NCCL_ variables
// does not define them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace sibyl::audit {

/// Names of a C library: prefix and a capital letter ("cudaMalloc"), or the
/// prefix of its macros and enumerators ("CUBLAS_STATUS_SUCCESS").
struct HeaderFamily {
  std::string_view prefix;
  std::string_view macro_prefix;
  std::string_view header;  ///< A file of this name, with names of the family in it, is the home.
  std::string_view name;
};

inline constexpr std::array<HeaderFamily, 20> kHeaderFamilies = {{
    {"cudaGL", "", "cuda_gl_interop.h", "the CUDA runtime's OpenGL functions"},
    {"cuda", "", "cuda_runtime_api.h", "the CUDA runtime"},
    {"cublasLt", "CUBLASLT_", "cublasLt.h", "cuBLASLt"},
    {"cublasXt", "CUBLASXT_", "cublasXt.h", "cuBLASXt"},
    {"cublas", "CUBLAS_", "cublas_api.h", "cuBLAS"},
    {"cudnn", "CUDNN_", "cudnn_ops.h", "cuDNN"},
    {"cufft", "CUFFT_", "cufft.h", "cuFFT"},
    {"curand", "CURAND_", "curand.h", "cuRAND"},
    {"cusparse", "CUSPARSE_", "cusparse.h", "cuSPARSE"},
    {"cusolver", "CUSOLVER_", "cusolverDn.h", "cuSOLVER"},
    {"cupti", "CUPTI_", "cupti_activity.h", "CUPTI"},
    {"nvrtc", "NVRTC_", "nvrtc.h", "NVRTC"},
    {"nvml", "NVML_", "nvml.h", "NVML"},
    {"nvtx", "NVTX_", "nvToolsExt.h", "NVTX"},
    {"nccl", "", "nccl.h", "NCCL"},
    {"nvJitLink", "NVJITLINK_", "nvJitLink.h", "nvJitLink"},
    {"nvjpeg", "NVJPEG_", "nvjpeg.h", "nvJPEG"},
    {"cuFile", "CUFILE_", "cufile.h", "cuFile"},
    {"cu", "CUDA_ERROR_", "cuda.h", "the CUDA driver API"},
    {"", "CU_", "cuda.h", "the CUDA driver API"},
}};

/// Settings whose home is identified by a file.
struct SettingFamily {
  std::string_view prefix;
  std::string_view marker;  ///< A path, from the root of the source.
  std::string_view name;
  bool only_in_cmake = false;  ///< Others use the prefix for other things.
};

inline constexpr std::array<SettingFamily, 4> kSettingFamilies = {{
    {"CMAKE_", "Help/variable/CMAKE_BUILD_TYPE.rst", "CMake's variables", false},
    {"CTEST_", "Help/manual/ctest.1.rst", "CTest's variables", false},
    {"CPACK_", "Modules/CPack.cmake", "CPack's variables", false},
    {"CUDA_", "Modules/FindCUDAToolkit.cmake", "the variables of CMake's CUDA modules", true},
}};

/// Never learned: pinned projects only use them.
inline constexpr std::array<std::string_view, 52> kForeignPrefixes = {
    "CMAKE_", "CUDA_",   "NCCL_",     "NVIDIA_",     "NV_",     "NVCC_",   "OMP_",     "MKL_",
    "KMP_",   "UCX_",    "OMPI_",     "MPI_",        "HF_",     "AWS_",    "GCP_",     "GOOGLE_",
    "AZURE_", "DOCKER_", "BUILDKIT_", "PIP_",        "CONDA_",  "CCACHE_", "SCCACHE_", "SLURM_",
    "GLOO_",  "XLA_",    "TF_",       "LD_",         "PYTHON_", "DEBIAN_", "HOROVOD_", "ROCM_",
    "HIP_",   "HSA_",    "GITHUB_",   "WANDB_",      "TRITON_", "MASTER_", "LOCAL_",   "WORLD_",
    "NUMBA_", "JAX_",    "TENSORRT_", "DCGM_",       "NSYS_",   "TEST_",   "DASK_",    "HIPRTC_",
    "_MSVC_", "MSVC_",   "DYLD_",     "TRANSFORMER_"};

/// Prefixes that every project uses for its own switches: they are checked only
/// as settings of a project that the text names.
inline constexpr std::array<std::string_view, 12> kSwitchPrefixes = {
    "USE_",  "BUILD_",   "ENABLE_", "WITH_",   "DISABLE_", "NO_",
    "SKIP_", "INSTALL_", "FORCE_",  "INTERN_", "STATIC_",  "MAX_"};

/// Namespaces and modules that many projects have.
inline constexpr std::array<std::string_view, 16> kCommonNamespaces = {
    "backend", "common", "core", "detail",  "device", "kernel", "kernels", "llvm",
    "math",    "nn",     "ops",  "runtime", "test",   "tests",  "thread",  "utils"};

/// "X_LIBRARY" and similar are defined by the project that looks for X.
inline constexpr std::array<std::string_view, 16> kFoundSuffixes = {
    "_LIBRARY",  "_LIBRARIES", "_INCLUDE_DIR", "_INCLUDE_DIRS", "_INCLUDE_PATH", "_ROOT",
    "_ROOT_DIR", "_DIR",       "_FOUND",       "_VERSION",      "_HOME",         "_PATH",
    "_LIB_DIR",  "_LIB",       "_FLAGS",       "_EXECUTABLE"};

/// Folders that every project has; a path in them does not identify a project.
inline constexpr std::array<std::string_view, 26> kCommonFolders = {
    "src",   "include", "docs", "doc",    "test",    "tests",   "examples",   "example",  "scripts",
    "tools", "build",   "lib",  "cmake",  "csrc",    "data",    "utils",      "models",   "python",
    "app",   "common",  "bin",  "config", "configs", "kernels", "benchmarks", "notebooks"};

}  // namespace sibyl::audit
