// SPDX-License-Identifier: Apache-2.0
// Checks the architectures that a Dockerfile compiles for: whether the toolkit does, whether newer
// GPUs find PTX, whether the GPUs of --gpu are among them.
#pragma once

#include <map>
#include <string>

#include "inspect/artifact.h"
#include "inspect/docker/docker_layers.h"
#include "inspect/docker/dockerfile.h"
#include "inspect/inspect_options.h"

namespace sibyl::inspect {

/// GPUs of --gpu on which the image does not run, by name, with the code of the finding.
using RefusedGpus = std::map<std::string, std::string>;

/// Stops when the budget is spent.
RefusedGpus CheckArchLists(const Dockerfile& file, const InspectOptions& options,
                           ScriptBudget& budget, Artifact& artifact);

}  // namespace sibyl::inspect
