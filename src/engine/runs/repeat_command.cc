// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/repeat_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <system_error>

#include "launch/quote.h"
#include "oracle/oracle.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

bool ChoosesWriter(std::string_view name) {
  return name == "writer" || name == "no-judge" || name == "max-tokens" || name == "max-cost";
}

bool IsFlag(const Operation& operation, std::string_view name) {
  return std::any_of(operation.parameters.begin(), operation.parameters.end(),
                     [name](const Parameter& parameter) {
                       return parameter.name == name && parameter.kind == ParameterKind::kFlag;
                     });
}

}  // namespace

std::string CommandBegin(const oracle::Context& context, std::string_view operation) {
  std::error_code failure;
  const std::optional<fs::path> found = oracle::FindOracle(context.working_folder);
  const bool is_found =
      !context.oracle || (found && fs::equivalent(*found, *context.oracle, failure));
  if (is_found) return fmt::format("sibyl {}", operation);
  return fmt::format("sibyl -C {} {}",
                     launch::ShellWord(oracle::ShownPath(context, *context.oracle).string()),
                     operation);
}

expansion::ExpandCommand RepeatExpand(const oracle::Context& context, const Arguments& arguments) {
  expansion::ExpandCommand command{.begin = CommandBegin(context, arguments.operation().name)};
  for (const GivenValue& given : arguments.given()) {
    // Those without which the run would be another one, or would end in another way.
    constexpr std::array<std::string_view, 4> kNotRepeated = {"plan", "jobs", "restart", "dry-run"};
    if (std::find(kNotRepeated.begin(), kNotRepeated.end(), given.name) != kNotRepeated.end()) {
      continue;
    }
    std::string& options = ChoosesWriter(given.name) ? command.writer : command.options;
    options += fmt::format(" --{}", given.name);
    if (IsFlag(arguments.operation(), given.name)) continue;
    options += " " + launch::ShellWord(given.value);
  }
  return command;
}

}  // namespace sibyl::engine
