// SPDX-License-Identifier: Apache-2.0
// Finds mistakes of Dockerfiles that have nothing to do with CUDA and still spoil images of
// this kind: failures that go unnoticed, downloads that change, secrets that stay, lines that
// have no effect. What is only a matter of style is not reported.
#pragma once

#include "inspect/artifact.h"
#include "inspect/docker/docker_layers.h"
#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

/// Stops when the budget is spent.
void CheckHabits(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

}  // namespace sibyl::inspect
