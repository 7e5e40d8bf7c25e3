// SPDX-License-Identifier: Apache-2.0
// Builds a lab with CMake and nvcc, once, in the user's cache:
//
//   labs/KEY/src      the sources that KEY was computed from
//   labs/KEY/build    CMake's folder, shared by the labs of this KEY
//   labs/KEY/bin      the finished programs, each put there by one rename
//   labs/KEY/log.txt  what the last failed build printed
//
// KEY is a hash of the sources and of the compiler's path and version, so that
// another release or another toolkit never runs an old program. Only sources
// that were installed with sibyl are built (lab/sources.h).
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/programs.h"
#include "lab/sources.h"

namespace sibyl::lab {

struct BuildOptions {
  std::filesystem::path cache;                          ///< The user's: ~/.cache/sibyl.
  std::function<void(std::string_view)> progress = {};  ///< Told when a build starts.
  std::stop_token stop = {};
  /// Where nvcc is looked for if it is not in PATH.
  std::vector<std::filesystem::path> toolkits = {"/usr/local/cuda/bin"};
  std::chrono::milliseconds time = std::chrono::minutes(60);
};

/// The program of a lab, built if the cache does not have it yet. kUnavailable,
/// with what to install, if nvcc, cmake, a C++ compiler or ninja or make is
/// missing, and with the compiler's first error if it does not build. An
/// interrupted build starts over the next time. Processes that want the same
/// lab wait for the first of them.
Result<Program> BuildLab(const LabSources& sources, std::string_view name,
                         const BuildOptions& options);

}  // namespace sibyl::lab
