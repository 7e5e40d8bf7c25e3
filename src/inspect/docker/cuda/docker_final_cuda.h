// SPDX-License-Identifier: Apache-2.0
// Where the CUDA of the final image comes from: its base image, a package, a Python wheel,
// or a COPY.
#pragma once

#include <string>
#include <string_view>

#include "field/field.h"
#include "inspect/docker/cuda/docker_torch_wheel.h"
#include "inspect/docker/docker_layers.h"
#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

struct FinalCuda {
  /// The FROM, RUN or COPY that brings CUDA; nullptr if nothing known does.
  const DockerInstruction* at = nullptr;
  std::string name;            ///< Of the image, the package or the wheel.
  field::CudaVersion cuda;     ///< {0, 0}: unknown.
  bool is_wheel = false;       ///< `name` is a wheel.
  bool is_package = false;     ///< `name` is a package of the system or of conda.
  bool is_resolved = true;     ///< False: the base image depends on a variable without a value.
  TorchWheel torch;            ///< Without an index: none, or an unknown one.
  bool starts_compat = false;  ///< The start-up of the image uses its compat package.
  /// Where the compat package for this CUDA comes from, "cuda-compat-13-0, which the image
  /// has,"; empty if
  /// there is none.
  std::string compat;
  /// Without `at`: the instruction that may bring CUDA all the same; nullptr if none does.
  const DockerInstruction* unknown = nullptr;
};

/// The CUDA of a PyTorch wheel by its index or version: "https://download.pytorch.org/whl/cu130",
/// "torch==2.9.0+cu130"; {0, 0} if the script names none.
field::CudaVersion CudaOfIndex(std::string_view script);

/// The file has a stage.
FinalCuda FindFinalCuda(const Dockerfile& file, ScriptBudget& budget);

}  // namespace sibyl::inspect
