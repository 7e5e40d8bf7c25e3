// SPDX-License-Identifier: Apache-2.0
// Whether what a CMake cache configures will run on the GPUs and the driver that were asked for.
#pragma once

#include "inspect/artifact.h"
#include "inspect/cmake/cmake_cache.h"
#include "inspect/inspect_options.h"

namespace sibyl::inspect {

/// Adds a finding where it will not. Needs the facts of CheckCMakeCache.
void CheckCMakeGpus(const CMakeCache& cache, const InspectOptions& options, Artifact& artifact);

}  // namespace sibyl::inspect
