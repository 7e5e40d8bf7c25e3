// SPDX-License-Identifier: Apache-2.0
// How this program was installed, which of the programs that it runs are missing, what they
// are needed for, and the command that installs them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.h"
#include "inspect/machine/machine.h"

namespace sibyl::inspect {

struct Installation {
  /// "bundle", "wheel", "npm", "image", "deb", "build", "prefix" (make install), "files" (the
  /// program alone), or "unknown" without /proc.
  std::string kind;
  std::string path;  ///< The bundle, the build folder, the prefix, or the program.
};

/// `program` is what /proc/self/exe leads to. In a bundle, and in the packages that contain
/// one, that is the bundled loader.
Installation FindInstallation(const MachineAccess& access, const std::filesystem::path& program);

/// The installation of the running program.
Installation ThisInstallation(const MachineAccess& access);

/// "the bundle in /opt/sibyl", for people.
std::string DescribeInstallation(const Installation& installation);

struct OutsideProgram {
  std::string_view name;
  std::string_view needed_for;
  std::string path;     ///< Empty: not found.
  std::string install;  ///< The command for this distribution, or the names in three of them.
};

/// git, pdftotext, bubblewrap, nvcc, cmake and a C++ compiler.
std::vector<OutsideProgram> FindOutsidePrograms(const MachineAccess& access,
                                                const Machine& machine);

/// A note for each that is missing.
std::vector<Finding> DiagnosePrograms(const std::vector<OutsideProgram>& programs);

}  // namespace sibyl::inspect
