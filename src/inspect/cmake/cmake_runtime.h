// SPDX-License-Identifier: Apache-2.0
// Finds builds with both CUDA runtimes, the static and the shared one.
#pragma once

#include "inspect/artifact.h"
#include "inspect/cmake/cmake_cache.h"

namespace sibyl::inspect {

/// Compares what the settings ask for with what targets and flags link.
void CheckCMakeRuntime(const CMakeCache& cache, Artifact& artifact);

}  // namespace sibyl::inspect
