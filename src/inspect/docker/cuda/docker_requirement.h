// SPDX-License-Identifier: Apache-2.0
// What an image of nvidia/cuda requires of the driver, by its NVIDIA_REQUIRE_CUDA: the NVIDIA
// runtime does not start a container whose requirement is not met.
#pragma once

#include <string>

#include "field/field.h"
#include "inspect/docker/cuda/docker_final_cuda.h"
#include "inspect/docker/docker_layers.h"
#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

/// "CUDA 12.6 of the driver, or a driver of branch 470, 535 or 550"; empty if the driver meets the
/// requirement, or none is known: of other images, of another processor, and of a Dockerfile that
/// changes or disables it.
std::string UnmetRequirement(const Dockerfile& file, const FinalCuda& cuda,
                             const field::DriverVersion& driver, ScriptBudget& budget);

}  // namespace sibyl::inspect
