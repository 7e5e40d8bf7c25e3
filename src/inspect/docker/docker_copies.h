// SPDX-License-Identifier: Apache-2.0
// Checks libraries of CUDA that one stage copies from another: whether they are there, whether they
// are complete, whether they are for the same CUDA.
#pragma once

#include "inspect/artifact.h"
#include "inspect/docker/docker_layers.h"
#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

/// Stops when the budget is spent.
void CheckCopies(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

}  // namespace sibyl::inspect
