// SPDX-License-Identifier: Apache-2.0
// Finds what an image ships without need, and installs that fail or go stale: package lists,
// download caches, recommended packages, sources copied before dependencies are installed.
#pragma once

#include <cstddef>
#include <set>

#include "inspect/artifact.h"
#include "inspect/docker/docker_layers.h"
#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

/// Stops when the budget is spent.
void CheckShipped(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

/// The last stage and those it is built on; others are thrown away.
std::set<std::size_t> ShippedStages(const Dockerfile& file);

}  // namespace sibyl::inspect
