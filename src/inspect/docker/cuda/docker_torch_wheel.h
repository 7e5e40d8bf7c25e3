// SPDX-License-Identifier: Apache-2.0
// Which build of PyTorch a command or an image brings, and which GPUs it has code for.
#pragma once

#include <string>
#include <string_view>

#include "field/field.h"
#include "inspect/docker/shell/shell_commands.h"

namespace sibyl::inspect {

struct TorchWheel {
  std::string index;    ///< "cu124"; empty if it is not known which one it is taken from.
  std::string version;  ///< "2.5.1"; empty if the command does not say it.
};

/// "cu128" of "https://download.pytorch.org/whl/cu128"; empty for nightly builds, whose releases
/// come and go.
std::string WheelIndexIn(const ShellCommand& command);

/// "2.9.0" of "torch==2.9.0"; empty without a full version.
std::string TorchVersionIn(const ShellCommand& command);

/// The torch that a RUN installs with pip, uv or conda.
TorchWheel TorchWheelIn(std::string_view script);

/// That of "pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime", which has the wheels of the index.
TorchWheel TorchOfImage(std::string_view image);

/// "torch 2.5.1 of cu124 has machine code for sm_50, … sm_90 and no PTX": why no build that the
/// wheel may be runs on the GPU. Empty if one does, or none is known.
std::string WhyTorchLacks(const TorchWheel& wheel, const field::GpuTarget& gpu);

/// The build nearest to the wheel that runs on the GPU, the same release if there is one; without
/// an index if none is known.
TorchWheel NearestTorchFor(const TorchWheel& wheel, const field::GpuTarget& gpu);

}  // namespace sibyl::inspect
