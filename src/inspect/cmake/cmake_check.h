// SPDX-License-Identifier: Apache-2.0
// What a CMake cache says against what is there: pairs of which one half was
// found, paths that are gone, toolkits that disagree, architectures that were
// asked for and not built, switches that quietly turn something off.
//
// A failed search alone is no finding: FindCUDAToolkit leaves 47 of them on a
// healthy toolkit.
#pragma once

#include <filesystem>
#include <string_view>

#include "inspect/artifact.h"
#include "inspect/cmake/cmake_cache.h"

namespace sibyl::inspect {

struct CMakeCheckOptions {
  /// Where the cache lies; the build folder when it has not been moved.
  std::filesystem::path folder;
  unsigned threads = 1;
};

/// Adds facts and findings about the cache to the artifact, whose path is set.
void CheckCMakeCache(const CMakeCache& cache, const CMakeCheckOptions& options, Artifact& artifact);

}  // namespace sibyl::inspect
