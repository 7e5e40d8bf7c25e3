// SPDX-License-Identifier: Apache-2.0
// Start here: the faces of the program. Each reads a request, makes one engine
// call and shows the answer; none knows anything that the table of operations
// does not say.
#pragma once

namespace sibyl::interface {

/// The command line as a whole process: reads the surroundings, runs one
/// operation, writes stdout and stderr, and gives the exit code (0 it holds,
/// 1 something does not hold, 2 could not do it, 130 interrupted).
int RunCommandLine(int argc, const char* const* argv);

/// The release, such as "0.1.0".
const char* Release();

}  // namespace sibyl::interface
