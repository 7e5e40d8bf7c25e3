// SPDX-License-Identifier: Apache-2.0
// Folders that were installed with sibyl: the sources of the labs, and oracles that can be
// asked at once. Nothing in the working folder is taken for one of them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/this_program.h"
#include "base/result.h"

namespace sibyl::oracle {

/// Whether the program in this folder was built there with CMake, and not installed.
bool IsBuildFolder(const std::filesystem::path& folder);

/// Where the folder `name` ("labs", "oracles") of the installation of `program` is: in
/// share/sibyl, or in the repository of a build folder. Those that exist and belong to the
/// installation (lab/sources.h), the best first.
std::vector<std::filesystem::path> InstalledFolders(const std::filesystem::path& program,
                                                    std::string_view name);

struct InstalledOracle {
  std::string name;  ///< "cuda"
  std::filesystem::path folder;
};

/// Sorted by name; empty if none is installed.
std::vector<InstalledOracle> FindInstalledOracles(const std::filesystem::path& program);

/// The folder of "@cuda". kNotFound with the nearest name, or with those that are installed.
Result<std::filesystem::path> FindInstalledOracle(const std::filesystem::path& program,
                                                  std::string_view chosen);

}  // namespace sibyl::oracle
