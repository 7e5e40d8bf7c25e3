// SPDX-License-Identifier: Apache-2.0
// Runs a program on untrusted input: a compiler on a code block, a converter on
// a PDF. The isolation is bubblewrap's (the program bwrap); docs/decisions/0097
// describes its guarantees.
//
// The program sees /usr/bin, /usr/lib and what its caller adds from /usr or
// /opt, all read-only, and an empty /tmp that only it can see. There is no
// network, no /home, no /root, no /etc beyond /etc/alternatives, no /var, no
// /proc and no other process. It runs as nobody, has no capabilities and cannot
// get any, and every process it starts ends with it. No folder of the caller is
// bound: the input is copied.
//
// There is no fallback: if bubblewrap cannot be used, nothing is run.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/subprocess.h"
#include "base/result.h"

namespace sibyl {

struct SandboxOptions {
  std::string bubblewrap = "bwrap";  ///< A path, or a name to look up.
};

struct SandboxedCommand {
  std::string program;  ///< A path inside the sandbox; see FindSystemProgram().
  std::vector<std::string> arguments;
  std::string input;
  /// Empty: `input` is stdin. Otherwise it is a file of this name in the working
  /// folder, and stdin is empty.
  std::string input_name;
  /// Folders to read besides /usr/bin and /usr/lib. Anything whose real path is
  /// not below /usr or /opt is refused; a folder that does not exist is skipped.
  std::vector<std::filesystem::path> readable;
  std::chrono::milliseconds time{20'000};
  std::size_t output_bytes = std::size_t{1} << 20;  ///< Stdout and stderr together.
  std::size_t memory_bytes = std::size_t{3} << 30;  ///< Address space of each process.
  std::size_t file_bytes = std::size_t{256} << 20;  ///< Of all files together.
};

/// A working bubblewrap. May be used by many threads.
class Sandbox {
 public:
  /// Runs a small program in it to see whether it works; once per process and
  /// bubblewrap. kUnavailable if bubblewrap is missing or the kernel does not
  /// allow it; the message says which, and the hint what to do.
  static Result<Sandbox> Open(const SandboxOptions& options = {});

  /// Like RunProgram(). kNotFound when there is no such program; kUnavailable
  /// when the sandbox could not be set up, and then nothing was run.
  Result<Outcome> Run(const SandboxedCommand& command, const std::stop_token& stop = {}) const;

 private:
  explicit Sandbox(std::vector<std::string> launcher) : launcher_(std::move(launcher)) {}
  static Result<Sandbox> Probe(const std::string& bubblewrap);

  std::vector<std::string> launcher_;  ///< bwrap with the programs before it.
};

/// A system program, in /usr/bin or /bin. PATH is not searched: programs in a
/// home folder are not in the sandbox.
std::optional<std::filesystem::path> FindSystemProgram(std::string_view name);

/// Whether the real path is under /usr or /opt: only these can be bound into a
/// sandbox.
bool IsSystemPath(const std::filesystem::path& path);

}  // namespace sibyl
