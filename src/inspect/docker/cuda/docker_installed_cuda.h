// SPDX-License-Identifier: Apache-2.0
// CUDA that a command installs: packages of apt, dnf and conda, NVIDIA's wheels, its installer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "field/field.h"
#include "inspect/docker/shell/shell_commands.h"

namespace sibyl::inspect {

/// The CUDA that a package of apt is for, and where its name says it.
struct NamedCuda {
  std::uint32_t major = 0;
  std::optional<std::uint32_t> minor;
  std::string_view text;  ///< "-13-0", "-cuda-13"
};

/// "cuda-toolkit-13-0", "libcublas-dev-12-4", "libcudnn9-dev-cuda-12"; an "=VERSION" may follow.
std::optional<NamedCuda> CudaOfPackage(std::string_view package);

struct InstalledCuda {
  std::string name;         ///< "cuda-toolkit-12-4"
  field::CudaVersion cuda;  ///< {0, 0}: unknown.
};

/// The first CUDA that the commands of a RUN install, one with a version if there is one. `image`
/// is the base, whose distribution may have a package of its own. nullopt if they install none.
std::optional<InstalledCuda> InstalledCudaIn(std::string_view script, std::string_view image);

/// 12.4 of "nvidia-cuda-runtime-cu12==12.4.127"; {0, 0} if the script has no such package.
field::CudaVersion CudaOfNvidiaWheel(std::string_view script);

}  // namespace sibyl::inspect
