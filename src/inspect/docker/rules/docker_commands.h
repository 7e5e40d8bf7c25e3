// SPDX-License-Identifier: Apache-2.0
// Finds commands and settings of a Dockerfile that do something else than they seem to: variables
// that do not exist yet, downloads that save an error page, packages of another release, caches
// that stay, services that end with their RUN.
#pragma once

#include "inspect/artifact.h"
#include "inspect/docker/docker_layers.h"
#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

/// Stops when the budget is spent.
void CheckCommands(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

}  // namespace sibyl::inspect
