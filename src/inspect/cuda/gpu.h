// SPDX-License-Identifier: Apache-2.0
// Tables of GPUs, drivers and toolkits, as NVIDIA publishes them: the architecture of each GPU,
// the CUDA version of each driver, the PTX version of each toolkit. docs/formats/facts.md names
// the sources.
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
  std::string name;          ///< The common name, "H200", or "sm_90".
  std::uint32_t number = 0;  ///< 90
};

/// "H200", "rtx 4090", "sm_90", "9.0": ignores case, blanks and "NVIDIA".
Result<GpuTarget> FindGpu(std::string_view text);

/// All names that FindGpu accepts, for completions and messages.
std::vector<std::string> GpuNames();

/// 580.65.06. Missing components are not compared: "580.65" matches any 580.65.x.
struct DriverVersion {
  std::vector<std::uint32_t> parts;
  std::string text;
};

std::optional<DriverVersion> ParseDriverVersion(std::string_view text);

/// Negative, zero or positive if `a` is older than, equal to or newer than `b`.
int Compare(const DriverVersion& a, std::string_view b);

struct CudaVersion {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  auto operator<=>(const CudaVersion&) const = default;  // NOLINT: clang-tidy 14 sees a 0
};

/// "13.0" from "13.0.88"; nullopt without two numbers.
std::optional<CudaVersion> ParseCudaVersion(std::string_view text);
std::string Format(const CudaVersion& version);

/// The newest CUDA that a driver supports; nullopt for drivers older than CUDA 10.0.
std::optional<CudaVersion> CudaOfDriver(const DriverVersion& driver);

/// The oldest Linux driver that runs programs of this major version at all (minor-version
/// compatibility); empty if unknown.
std::string_view DriverFloor(std::uint32_t cuda_major);

/// The PTX ISA that a CUDA release introduced.
std::optional<CudaVersion> PtxOfCuda(const CudaVersion& cuda);
/// The first CUDA release whose driver accepts this PTX ISA.
std::optional<CudaVersion> CudaOfPtx(const CudaVersion& isa);

struct ArchitectureLife {
  std::uint32_t number = 0;
  CudaVersion first;  ///< The first toolkit that supports it.
  CudaVersion last;   ///< The last toolkit that builds for it; {0, 0}: still does.
  std::uint32_t last_driver_branch = 0;  ///< 580; zero: still supported.
};

/// nullptr for a number that is not in the table.
const ArchitectureLife* LifeOf(std::uint32_t number);

}  // namespace sibyl::inspect
