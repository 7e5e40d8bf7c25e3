// SPDX-License-Identifier: Apache-2.0
// What is known of GPUs, drivers and toolkits: which GPU is which architecture,
// which driver knows which CUDA, which PTX belongs to which toolkit. Tables, as
// NVIDIA publishes them; docs/formats/facts.md names the sources.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sibyl::inspect {

struct GpuTarget {
  std::string name;          ///< As people say it: "H200", or "sm_90".
  std::uint32_t number = 0;  ///< 90
};

/// "H200", "rtx 4090", "sm_90", "9.0": case, blanks and "NVIDIA" do not count.
Result<GpuTarget> FindGpu(std::string_view text);

/// Every name that FindGpu knows, for completions and messages.
std::vector<std::string> GpuNames();

/// 580.65.06. What was not said is not compared: "580.65" is any of them.
struct DriverVersion {
  std::vector<std::uint32_t> parts;
  std::string text;
};

std::optional<DriverVersion> ParseDriverVersion(std::string_view text);

/// Negative, zero or positive as `a` is older than, equal to or newer than `b`.
int Compare(const DriverVersion& a, std::string_view b);

struct CudaVersion {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  auto operator<=>(const CudaVersion&) const = default;  // NOLINT: clang-tidy 14 sees a 0
};

/// "13.0" out of "13.0.88"; nothing when there are no two numbers.
std::optional<CudaVersion> ParseCudaVersion(std::string_view text);
std::string Format(const CudaVersion& version);

/// The newest CUDA that a driver knows; nothing for drivers older than 10.0's.
std::optional<CudaVersion> CudaOfDriver(const DriverVersion& driver);

/// The oldest Linux driver on which programs of this major run at all
/// (minor-version compatibility); empty when it is not known.
std::string_view DriverFloor(std::uint32_t cuda_major);

/// The PTX ISA that a CUDA release brought.
std::optional<CudaVersion> PtxOfCuda(const CudaVersion& cuda);
/// The first CUDA release whose driver accepts this PTX ISA.
std::optional<CudaVersion> CudaOfPtx(const CudaVersion& isa);

struct ArchitectureLife {
  std::uint32_t number = 0;
  CudaVersion first;                     ///< The toolkit that brought it.
  CudaVersion last;                      ///< The last that builds for it; {0, 0}: still does.
  std::uint32_t last_driver_branch = 0;  ///< 580; zero: still supported.
};

/// Nothing for a number that is not in the table.
const ArchitectureLife* LifeOf(std::uint32_t number);

}  // namespace sibyl::inspect
