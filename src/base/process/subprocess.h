// SPDX-License-Identifier: Apache-2.0
// Runs a program within limits: time, memory, output, size of files.
//
// No shell is involved. The limits protect against accidents and greedy
// programs. A hostile program (its own session, many processes) needs a sandbox
// around it.
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
  /// Per user, including all other processes: the kernel has no other limit.
  /// Has no effect for root.
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

  /// Receives stderr as it is written, for progress; Outcome has it too.
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

/// Runs until the program ends or a limit is reached. When this returns, the
/// program and all of its process group have ended and no descriptor is open.
/// An exit code other than 0 is an Outcome; an Error is a program that could
/// not be started (kNotFound names it) or was cancelled through `stop`.
/// Thread-safe. Our descriptors are not inherited.
///
/// A background process of the program is killed with it, without waiting for
/// its output.
Result<Outcome> RunProgram(const Command& command, const std::stop_token& stop = {});

/// The path of a program in PATH; nothing if it is not found.
std::optional<std::filesystem::path> FindProgram(std::string_view name);

}  // namespace sibyl
