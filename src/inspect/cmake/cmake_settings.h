// SPDX-License-Identifier: Apache-2.0
// Settings of a CMake cache that build something else than one expects, by their values alone: no
// compiler for CUDA, CUDA switched off, a host compiler that nvcc refuses, no optimisation.
#pragma once

#include "inspect/artifact.h"
#include "inspect/cmake/cmake_cache.h"

namespace sibyl::inspect {

void CheckCMakeSettings(const CMakeCache& cache, Artifact& artifact);

}  // namespace sibyl::inspect
