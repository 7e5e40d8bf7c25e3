// SPDX-License-Identifier: Apache-2.0
// Headers and libraries that belong together, switches of PyTorch's build, and what each means
// for the result. Reads only the cache, no other file.
#pragma once

#include "inspect/artifact.h"
#include "inspect/cmake/cmake_cache.h"

namespace sibyl::inspect {

void CheckPairs(const CMakeCache& cache, Artifact& artifact);
void CheckTorchSwitches(const CMakeCache& cache, Artifact& artifact);

/// A finding about an entry, with its line.
Finding AboutEntry(const Artifact& artifact, const CacheEntry& entry, Severity severity,
                   std::string code);

}  // namespace sibyl::inspect
