// SPDX-License-Identifier: Apache-2.0
// Compares what the final image brings with the GPUs and the driver that it is to run on.
#pragma once

#include "inspect/artifact.h"
#include "inspect/docker/docker_arch_check.h"
#include "inspect/docker/docker_layers.h"
#include "inspect/docker/dockerfile.h"
#include "inspect/inspect_options.h"

namespace sibyl::inspect {

/// `refused` is what CheckArchLists returned. Stops when the budget is spent.
void CheckGpus(const Dockerfile& file, const InspectOptions& options, RefusedGpus refused,
               ScriptBudget& budget, Artifact& artifact);

}  // namespace sibyl::inspect
