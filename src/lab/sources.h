// SPDX-License-Identifier: Apache-2.0
// The sources of the labs as they were installed with the program: labs/ of
// this repository. They are listed without being built; lab/build.h builds them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace sibyl::lab {

struct SourceFile {
  std::string path;  ///< From the folder: "gemm/lab.cc".
  std::string bytes;
};

struct SourceLab {
  std::string name;      ///< "gemm"
  std::string question;  ///< What it measures, in one line.
  std::string script;    ///< "compile/lab.py" of a lab in Python, which is not built; else empty.
};

struct LabSources {
  std::filesystem::path folder;
  std::vector<SourceFile> files;  ///< Everything that a build reads, sorted by path.
  std::vector<SourceLab> labs;    ///< Sorted by name.
  std::string digest;             ///< The sha256 of all paths and bytes.
};

/// Whether a folder belongs to the installation of `program`, so that what is in
/// it may be run: it exists, belongs to root or to the owner of the program, and
/// is not writable by everyone.
bool IsOfInstallation(const std::filesystem::path& folder, const std::filesystem::path& program);

/// Reads a folder of labs. kNotFound if it does not exist or contains none.
Result<LabSources> ReadSources(const std::filesystem::path& folder);

}  // namespace sibyl::lab
