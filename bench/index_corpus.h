// SPDX-License-Identifier: Apache-2.0
// What the benchmark of the index works on, and where.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "measure.h"

namespace sibyl::bench {

struct IndexCorpus {
  std::filesystem::path folder;                     ///< Source trees, one folder each.
  std::vector<std::filesystem::path> repositories;  ///< The same in git, or none.
  std::filesystem::path work;  ///< On the same disk; what is in it is overwritten.
  bool builds_xapian = true;

  std::filesystem::path manifest() const { return work / "manifest.json"; }
};

inline constexpr const char* kQueries[] = {"TORCH_CUDA_ARCH_LIST",
                                           "how does cmake detect cupti",
                                           "cudaGraph capture replay",
                                           "WMMA fragment load_matrix_sync",
                                           "fused adam optimizer kernel multi tensor",
                                           "delayed scaling fp8 amax history",
                                           "gencode arch sm_90 ptx fallback",
                                           "grad scaler inf check unscale",
                                           "shared memory bank conflict swizzle",
                                           "nccl allreduce bucket gradient overlap",
                                           "find_library CUDA_cupti_LIBRARY",
                                           "checkpoint resume training state dict"};
inline constexpr const char* kPatterns[] = {"cudaGraphLaunch", "mma\\.sync\\.aligned\\.m16n8k16",
                                            "TORCH_CHECK\\(.*is_cuda",
                                            "__launch_bounds__\\(\\s*\\d+"};

/// Measurements by the name of what was measured.
using Table = std::map<std::string, Series>;

}  // namespace sibyl::bench
