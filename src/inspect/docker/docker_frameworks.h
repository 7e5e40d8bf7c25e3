// SPDX-License-Identifier: Apache-2.0
// Finds commands that damage what an image brings: NVIDIA's and PyTorch's builds replaced by
// others, wheels without CUDA in an image with it, a toolkit folder of another release.
#pragma once

#include "inspect/artifact.h"
#include "inspect/docker/docker_layers.h"
#include "inspect/docker/dockerfile.h"
#include "inspect/inspect_options.h"

namespace sibyl::inspect {

/// Stops when the budget is spent.
void CheckFrameworks(const Dockerfile& file, const InspectOptions& options, ScriptBudget& budget,
                     Artifact& artifact);

}  // namespace sibyl::inspect
