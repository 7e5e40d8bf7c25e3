// SPDX-License-Identifier: Apache-2.0
// Asks the driver's own library about the GPUs. It is opened when asked for and
// never linked: most machines that read knowledge bases have none.
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
    kNoLibrary,  ///< libnvidia-ml.so.1 is not there.
    kNotLoaded,  ///< The library is, the kernel module is not.
    kMismatch,   ///< Library and kernel module are of different releases.
    kFailed,     ///< Another error; `error` has its number.
    kAnswers,
  };
  State state = State::kNoLibrary;
  int error = 0;
  std::string driver_version;
  std::uint32_t cuda_version = 0;  ///< 13000
  std::vector<SeenGpu> gpus;
};

NvmlReport AskNvml();

}  // namespace sibyl::inspect
