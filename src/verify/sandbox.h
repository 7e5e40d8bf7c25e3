// SPDX-License-Identifier: Apache-2.0
// Runs a compiler or a parser over hostile text: without network, home and
// surroundings, in a folder of its own, within limits. The text is never run.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/subprocess.h"

namespace sibyl::verify {

struct SandboxedCommand {
  std::string program;  ///< A path, or a name looked up in PATH.
  std::vector<std::string> arguments;
  std::string input;
  std::filesystem::path folder;  ///< Where it runs and may write.
  std::chrono::milliseconds time{20'000};
  std::size_t memory_bytes = std::size_t{3} << 30;
};

/// Where the kernel permits, in namespaces of its own: no network, and nothing
/// that it starts outlives it. Elsewhere the limits alone hold (time, memory,
/// output, files, number of processes). kNotFound when there is no such program.
Result<Outcome> RunSandboxed(const SandboxedCommand& sandboxed);

/// Whether namespaces are permitted here; asked once.
bool HasNamespaces();

}  // namespace sibyl::verify
