// SPDX-License-Identifier: Apache-2.0
// Finds mistakes in the structure of a Dockerfile: stages that do not exist or exist twice, copies
// to a place that is not known, instructions that Docker refuses, a final image that runs as root.
#pragma once

#include "inspect/artifact.h"
#include "inspect/docker/docker_layers.h"
#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

/// Stops when the budget is spent.
void CheckStages(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

}  // namespace sibyl::inspect
