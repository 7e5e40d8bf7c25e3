// SPDX-License-Identifier: Apache-2.0
// The command line as a function: arguments in, two texts and an exit code out.
// It uses no streams, so that tests can run any command.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/terminal.h"

namespace sibyl::interface {

struct CommandEnvironment {
  std::filesystem::path working_folder;
  const Clock& clock;
  Terminal out;
  Terminal err;
  /// Measure the windows again, which may have changed since; may be empty.
  std::function<Terminal()> probe_out = {};
  std::function<Terminal()> probe_err = {};
  std::function<void(std::string_view)> progress = {};
  /// Writes to stderr at once, for progress while an operation runs.
  std::function<void(std::string_view)> talk = {};
  std::function<std::stop_token()> catch_interrupt = {};
  /// See oracle::Context::confirm; empty unless stdin is a terminal.
  std::function<bool(const std::vector<std::string>& lines, std::string_view question)> confirm =
      {};
  /// See oracle::Context.
  std::function<Result<std::shared_ptr<void>>(std::string_view address)> serve_metrics = {};
  /// Progress, boards and summaries are left out: stderr is a log for programs.
  bool is_logged = false;
  /// Why nothing that touches files can run, such as a working folder that was
  /// deleted. Help and version still do.
  std::optional<Error> trouble = {};
};

struct CommandAnswer {
  std::string out;
  std::string err;
  int exit_code = 0;
};

CommandAnswer AnswerCommandLine(std::span<const std::string_view> words,
                                const CommandEnvironment& environment);

/// 2, or 130 if cancelled. The only mapping from errors to exit codes. What starts `sibyl worker`
/// has to know whether to start it again: 75 if what it lacked may come back.
int ExitCode(ErrorKind kind, std::string_view command = {});

}  // namespace sibyl::interface
