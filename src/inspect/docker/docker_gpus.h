// SPDX-License-Identifier: Apache-2.0
// Checks a Dockerfile for the GPUs and the driver that its image is to run on: the architectures
// that it compiles for, the driver that its toolkit needs, the compiler where it is used.
#pragma once

#include "inspect/artifact.h"
#include "inspect/docker/docker_layers.h"
#include "inspect/docker/dockerfile.h"
#include "inspect/inspect_options.h"

namespace sibyl::inspect {

/// Stops when the budget is spent.
void CheckGpus(const Dockerfile& file, const InspectOptions& options, ScriptBudget& budget,
               Artifact& artifact);

}  // namespace sibyl::inspect
