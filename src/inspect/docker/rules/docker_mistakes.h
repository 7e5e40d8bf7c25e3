// SPDX-License-Identifier: Apache-2.0
// Finds instructions that do not do what they seem to: a folder or variable that the next line
// has lost, a list that is not JSON, a driver in an image, a GPU while the image is built.
#pragma once

#include "inspect/artifact.h"
#include "inspect/docker/docker_layers.h"
#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

/// Stops when the budget is spent.
void CheckMistakes(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

}  // namespace sibyl::inspect
