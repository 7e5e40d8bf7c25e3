// SPDX-License-Identifier: Apache-2.0
// Start here: the front ends. Each parses a request, makes one engine call and
// shows the answer; everything they need to know about operations is in the
// table.
#pragma once

namespace sibyl::interface {

/// The command line as a process: reads the environment, runs one operation,
/// writes stdout and stderr, and returns the exit code (0 success, 1 a check
/// failed, 2 error, 130 interrupted).
int RunCommandLine(int argc, const char* const* argv);

/// The release, such as "0.1.0".
const char* Release();

}  // namespace sibyl::interface
