// SPDX-License-Identifier: Apache-2.0
// Finds commands that compile device code in an image that has no nvcc.
#pragma once

#include "inspect/artifact.h"
#include "inspect/docker/docker_layers.h"
#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

/// Stops when the budget is spent.
void CheckCompilers(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

}  // namespace sibyl::inspect
