// SPDX-License-Identifier: Apache-2.0
// Compares a CMake cache with the files it names: pairs of which only one half was found, paths
// that no longer exist, toolkits that disagree, architectures that were requested but not
// built, switches that silently disable something.
//
// A failed search alone is not a finding: FindCUDAToolkit leaves 47 of them on a healthy
// toolkit.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "field/field.h"
#include "inspect/artifact.h"
#include "inspect/cmake/cmake_cache.h"

namespace sibyl::inspect {

struct CMakeCheckOptions {
  /// The folder of the cache; the build folder unless the cache was moved.
  std::filesystem::path folder;
  unsigned threads = 1;
  bool reads_named_files = true;  ///< See InspectOptions.
};

/// Whether CMake wrote the cache into this folder of this machine. One that was copied or pasted
/// names another machine's files.
bool IsMadeHere(const CMakeCache& cache, const std::filesystem::path& folder);

/// Adds facts and findings about the cache to the artifact, whose path is set.
void CheckCMakeCache(const CMakeCache& cache, const CMakeCheckOptions& options, Artifact& artifact);

/// The release of the toolkit that a path belongs to ("/usr/local/cuda-12.4/bin/nvcc"), from the
/// folder's name; nullopt if it does not say.
std::optional<field::CudaVersion> ToolkitNamedBy(std::string_view path);

/// The same, else from the files in the folder.
std::optional<field::CudaVersion> ToolkitAt(std::string_view path);

}  // namespace sibyl::inspect
