// SPDX-License-Identifier: Apache-2.0
// Queries the GPUs through the driver's library NVML. Loaded at run time, not linked: most
// machines do not have it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sibyl::inspect {

struct SeenGpu {
  std::string name;
  std::string uuid;
  std::uint64_t memory_bytes = 0;
  std::uint32_t number = 0;  ///< 90
};

struct NvmlReport {
  enum class State {
    kNoLibrary,  ///< libnvidia-ml.so.1 is missing.
    kNotLoaded,  ///< The library is installed, but the kernel module is not loaded.
    kMismatch,   ///< Library and kernel module have different versions.
    kFailed,     ///< Another error; `error` has its number.
    kAnswers,
  };
  State state = State::kNoLibrary;
  int error = 0;
  std::string driver_version;
  std::uint32_t cuda_version = 0;  ///< 13000
  std::vector<SeenGpu> gpus;
};

NvmlReport QueryNvml();

}  // namespace sibyl::inspect
