// SPDX-License-Identifier: Apache-2.0
// Header and library that belong together, and switches of PyTorch's build:
// what each means for the result. Looks at the cache only, at no file.
#pragma once

#include "inspect/artifact.h"
#include "inspect/cmake/cmake_cache.h"

namespace sibyl::inspect {

void CheckPairs(const CMakeCache& cache, Artifact& artifact);
void CheckTorchSwitches(const CMakeCache& cache, Artifact& artifact);

/// A finding about an entry, with its place.
Finding AboutEntry(const Artifact& artifact, const CacheEntry& entry, Severity severity,
                   std::string code);

}  // namespace sibyl::inspect
