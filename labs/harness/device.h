// SPDX-License-Identifier: Apache-2.0
// The GPU a lab runs on: whether there is one, its name, its clocks while it works.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <string>

#include "harness/line.h"

namespace sibyl::lab {

/// Ends the program with exit code 2 and a sentence, unless status is cudaSuccess. A lab measures
/// one thing and holds nothing that must be saved; there is nobody above to recover.
void Check(cudaError_t status, const char* doing);

/// Empty when device 0 can run this program; otherwise why not.
std::string WhyNoGpu();

struct DeviceLimits {
  int multiprocessors = 0;
  int compute_capability = 0;  ///< 90 for 9.0.
  int clock_khz = 0;           ///< The highest the multiprocessors run at.
  std::size_t l2_bytes = 0;
  std::size_t shared_bytes = 0;  ///< The most a block may ask for.
  std::size_t total_bytes = 0;
};
DeviceLimits Limits();

/// NVML, found at run time: labs must start on machines without a driver, and in containers that
/// hide it. Without it the clocks are not known, and the lines say so.
class ClockReader {
 public:
  ClockReader();
  ~ClockReader();
  ClockReader(const ClockReader&) = delete;
  ClockReader& operator=(const ClockReader&) = delete;

  Clocks Read() const;
  std::string DriverVersion() const;  ///< Empty when NVML is missing.

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

/// Words for the bits of NVML's clock event reasons.
std::string ThrottleWords(unsigned long long reasons);

Platform DescribePlatform(const ClockReader& clocks);

}  // namespace sibyl::lab
