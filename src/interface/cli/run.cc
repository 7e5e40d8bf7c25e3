// SPDX-License-Identifier: Apache-2.0
// The thin shell around AnswerCommandLine: streams, signals, environment.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/clock.h"
#include "base/files/write_all.h"
#include "base/process/environment.h"
#include "base/strings.h"
#include "base/telemetry/log.h"
#include "base/terminal.h"
#include "engine/text/render_findings.h"
#include "interface/cli/answer.h"
#include "interface/cli/interrupt.h"
#include "interface/interface.h"
#include "interface/web/metrics_server.h"

namespace sibyl::interface {
namespace {

void SetUpSignals() {
  SetUpInterrupts();
  // A closed pipe becomes EPIPE, which is distinguished from a full disk.
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, nullptr);
}

// Asks on the terminal; anything but "y" and "yes" is a no.
bool Confirm(const std::vector<std::string>& lines, std::string_view question) {
  std::string shown;
  for (const std::string& line : lines) shown += Harmless(line) + '\n';
  shown += fmt::format("{} [y/N] ", question);
  WriteAll(STDERR_FILENO, shown);
  std::string answer;
  char c = '\0';
  while (answer.size() < 100 && ::read(STDIN_FILENO, &c, 1) == 1 && c != '\n') answer += c;
  const std::string word = LowerCase(Trim(answer));
  return word == "y" || word == "yes";
}

constexpr std::string_view kJsonLogName = "json";

// What SIBYL_LOG says; kUsage for anything unknown.
Result<bool> WantsJsonLog() {
  const std::string form = EnvironmentVariable("SIBYL_LOG").value_or("");
  if (form == kJsonLogName) return true;
  if (form.empty() || form == "text") return false;
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("SIBYL_LOG is '{}'", form),
               .hint = "supported: json, text"};
}

// An error's lines, without their prefix.
void LogLines(std::string_view text) {
  for (std::string_view line : SplitLines(text)) {
    for (const std::string_view prefix : {"sibyl: ", "error: "}) {
      if (line.starts_with(prefix)) line.remove_prefix(prefix.size());
    }
    if (!Trim(line).empty()) WriteLog(LogLevel::kError, Trim(line));
  }
}

}  // namespace

const char* Release() { return SIBYL_RELEASE; }

int RunCommandLine(int argc, const char* const* argv) {
  SetUpSignals();
  const std::vector<std::string_view> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const TerminalEnvironment variables = ReadTerminalEnvironment();
  const Terminal err = ProbeTerminal(STDERR_FILENO, variables);
  ProgressLine progress(STDERR_FILENO, err);
  const auto clock = SystemClock::FromEnvironment();
  const FixedClock no_clock{Time{}};
  CommandEnvironment environment{
      .working_folder = {},
      .clock = clock.ok() ? static_cast<const Clock&>(*clock) : no_clock,
      .out = ProbeTerminal(STDOUT_FILENO, variables),
      .err = err,
      .probe_out = [&variables] { return ProbeTerminal(STDOUT_FILENO, variables); },
      .probe_err = [&variables] { return ProbeTerminal(STDERR_FILENO, variables); },
      .progress = [&progress](std::string_view text) { progress.Show(text); },
      .talk =
          [&progress](std::string_view text) {
            progress.Clear();
            WriteAll(STDERR_FILENO, text);
          },
      .catch_interrupt = CatchInterrupt,
      .serve_metrics = ServeMetrics};
  if (::isatty(STDIN_FILENO) == 1 && err.is_terminal) environment.confirm = Confirm;
  if (!clock.ok()) environment.trouble = clock.error();
  const Result<bool> is_logged = WantsJsonLog();
  if (!is_logged.ok()) environment.trouble = is_logged.error();
  std::optional<JsonLog> log;
  if (is_logged.ok() && *is_logged) {
    environment.is_logged = true;
    log.emplace(STDERR_FILENO);
  }
  std::error_code failure;
  environment.working_folder = std::filesystem::current_path(failure);
  if (failure) {
    environment.trouble = Error{.kind = ErrorKind::kUnavailable,
                                .message = "finding the working folder: " + failure.message()};
  }
  const CommandAnswer answer = AnswerCommandLine(words, environment);
  progress.Clear();
  const int out_failure = WriteAll(STDOUT_FILENO, answer.out);
  if (out_failure != 0 && out_failure != EPIPE) {
    const Error error{.kind = ErrorKind::kUnavailable,
                      .message = "writing the answer: " +
                                 std::error_code(out_failure, std::generic_category()).message()};
    WriteAll(STDERR_FILENO, engine::RenderError(error, err));
    return ExitCode(error.kind);
  }
  if (log) {
    LogLines(answer.err);
    return answer.exit_code;
  }
  WriteAll(STDERR_FILENO, answer.err);  // there is nowhere left to complain
  return answer.exit_code;
}

}  // namespace sibyl::interface
