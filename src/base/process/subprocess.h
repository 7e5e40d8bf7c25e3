// SPDX-License-Identifier: Apache-2.0
// Runs a program within limits: time, memory, output, size of files.
//
// No shell is involved: arguments are what they are. The limits hold against
// accidents and greedy programs. A program that wants to escape (its own
// session, many processes) needs the sandbox that its caller puts around it.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sibyl {

struct SubprocessLimits {
  std::chrono::milliseconds time{60'000};
  std::size_t output_bytes = std::size_t{64} << 20;  ///< Stdout and stderr together.
  std::optional<std::size_t> memory_bytes;           ///< Address space of each process.
  std::optional<std::size_t> file_bytes;             ///< Of any one file it writes.
  /// Of its user, all others included: the kernel counts no other way. Does not
  /// hold for root.
  std::optional<std::size_t> processes;
};

struct Command {
  std::string program;                 ///< A path, or a name looked up in PATH.
  std::vector<std::string> arguments;  ///< Without the program's own name.
  std::string input;                   ///< What it reads as stdin.
  std::filesystem::path input_file;    ///< Read as stdin instead of `input`, unless empty.
  std::filesystem::path folder;        ///< Where it runs; empty means here.

  /// Variables to set, over those inherited.
  std::map<std::string, std::string> environment;
  /// False starts from nothing: then only `environment` is seen.
  bool inherits_environment = true;

  SubprocessLimits limits;

  /// Sees stderr as it comes, beside what Outcome keeps: for progress.
  std::function<void(std::string_view)> on_errors = {};
};

enum class Limit { kNone, kTime, kOutput, kFileSize };

struct Outcome {
  std::optional<int> exit_code;  ///< Nothing when a signal ended it.
  int signal = 0;                ///< The signal that ended it, ours included.
  Limit limit = Limit::kNone;    ///< Why we, or the kernel for us, ended it.
  std::string output;            ///< Stdout, cut at the limit.
  std::string errors;            ///< Stderr, cut at the limit.

  bool succeeded() const { return exit_code == 0 && limit == Limit::kNone; }
};

/// "exit code 1", "killed: ran longer than its time", ...: for messages.
std::string Describe(const Outcome& outcome);

/// Runs to the end of the program or of a limit. When this returns, the program
/// and all of its process group are gone and no descriptor stays open. An exit
/// code other than 0 is an Outcome; an Error is a program that could not be
/// started (kNotFound names it) or was cancelled through `stop`.
/// Thread-safe. Descriptors of ours are not passed on.
///
/// A process that the program left in the background is killed with it, and
/// what it would still have printed is not waited for.
Result<Outcome> RunProgram(const Command& command, const std::stop_token& stop = {});

/// Where PATH finds a program; nothing if it does not.
std::optional<std::filesystem::path> FindProgram(std::string_view name);

}  // namespace sibyl
