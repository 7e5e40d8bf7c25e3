// SPDX-License-Identifier: Apache-2.0
#include "lab/programs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "base/process/environment.h"
#include "base/process/subprocess.h"
#include "base/strings.h"

namespace sibyl::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "lab_";
constexpr int kWrongAnswers = 1;
constexpr int kNoGpu = 3;

Command CommandOf(const Program& program, std::vector<std::string> arguments,
                  std::chrono::milliseconds time) {
  Command command{.program = program.path.string(),
                  .arguments = std::move(arguments),
                  .limits = {.time = time}};
  if (program.interpreter.empty()) return command;
  // -B: an installation is not a place for __pycache__.
  command.arguments.insert(command.arguments.begin(), {"-B", command.program});
  command.program = program.interpreter.string();
  // A bundle sets it for its own C library.
  if (EnvironmentVariable("GCONV_PATH")) command.environment["GCONV_PATH"] = "";
  return command;
}

std::string LastLine(std::string_view text) {
  std::string last;
  for (const std::string_view line : SplitLines(text)) {
    if (!Trim(line).empty()) last = Trim(line);
  }
  return last;
}

}  // namespace

std::vector<Program> FindPrograms(const std::vector<fs::path>& folders) {
  std::vector<Program> programs;
  std::set<std::string> names;
  for (const fs::path& folder : folders) {
    std::error_code failure;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure)) {
      const std::string name = entry->path().filename().string();
      std::error_code ignored;
      if (!name.starts_with(kPrefix) || name.find('.') != std::string::npos) continue;
      if (!fs::is_regular_file(entry->path(), ignored)) continue;
      if (::access(entry->path().c_str(), X_OK) != 0) continue;
      std::string lab = name.substr(kPrefix.size());
      if (!names.insert(lab).second) continue;
      programs.push_back({.name = std::move(lab), .path = entry->path()});
    }
  }
  std::sort(programs.begin(), programs.end(),
            [](const Program& a, const Program& b) { return a.name < b.name; });
  return programs;
}

Result<std::string> AskForDescription(const Program& program) {
  constexpr std::chrono::milliseconds kTime{20'000};
  const Outcome outcome = SIBYL_TRY(RunProgram(CommandOf(program, {"--list"}, kTime)));
  if (outcome.succeeded()) return outcome.output;
  return Error{.kind = ErrorKind::kUnavailable,
               .message = fmt::format("listing what {} measures: {}", program.path.string(),
                                      sibyl::Describe(outcome))};
}

Result<LabOutput> RunLab(const Program& program, const LabOptions& options) {
  const Outcome outcome =
      SIBYL_TRY(RunProgram(CommandOf(program, options.arguments, options.time), options.stop));
  const bool has_ended = outcome.exit_code && outcome.limit == Limit::kNone;
  if (has_ended && (*outcome.exit_code == 0 || *outcome.exit_code == kWrongAnswers)) {
    return LabOutput{.lines = outcome.output,
                     .talk = outcome.errors,
                     .had_failures = *outcome.exit_code == kWrongAnswers};
  }
  // The line in which it was stopped is not whole.
  const std::size_t whole = outcome.output.rfind('\n');
  if (outcome.limit == Limit::kTime && whole != std::string::npos) {
    return LabOutput{.lines = outcome.output.substr(0, whole + 1),
                     .talk = outcome.errors,
                     .ran_out_of_time = true};
  }
  const std::string last = LastLine(outcome.errors);
  if (has_ended && *outcome.exit_code == kNoGpu) {
    // As labs/harness prints it.
    std::string_view reason = last;
    const std::string prefix = fmt::format("lab: {} cannot run here: ", program.name);
    if (reason.starts_with(prefix)) reason.remove_prefix(prefix.size());
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = fmt::format("running the lab {}: {}", program.name,
                                        reason.empty() ? "no usable GPU" : reason),
                 .hint = "'sibyl doctor' shows what this machine has"};
  }
  return Error{.kind = ErrorKind::kUnavailable,
               .message = fmt::format("running the lab {}: {}{}", program.name,
                                      sibyl::Describe(outcome), last.empty() ? "" : ": " + last)};
}

}  // namespace sibyl::lab
