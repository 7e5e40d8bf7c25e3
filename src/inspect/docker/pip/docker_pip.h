// SPDX-License-Identifier: Apache-2.0
// Checks what pip installs and from where. Each stops when the budget is spent.
#pragma once

#include "inspect/artifact.h"
#include "inspect/docker/docker_layers.h"
#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

/// Versions that the shell takes for redirections, indexes that lack what is installed or are not
/// verified, wheels that there are not for Alpine.
void CheckPip(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

/// Wheels for another Python, another torch, or another CUDA than those of the image.
void CheckWheelFit(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

/// Packages and virtual environments that are copied to an image with another Python.
void CheckCopiedPython(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

}  // namespace sibyl::inspect
