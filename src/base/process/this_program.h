// SPDX-License-Identifier: Apache-2.0
// Where the running program is, and in which package.
#pragma once

#include <filesystem>

namespace sibyl {

/// The running program; of the bundle, its dynamic loader, which is beside it. Without /proc, the
/// file that was started, with links resolved; empty if that is not known either.
std::filesystem::path ThisProgram();

/// An absolute path without links; empty if there is no such file.
std::filesystem::path ProgramStartedAs(const char* path);

/// In the container image of sibyl, which has no other programs.
bool IsInOwnImage(const std::filesystem::path& program);

}  // namespace sibyl
