// SPDX-License-Identifier: Apache-2.0
#include "interface/cli/commands.h"

#include <fmt/format.h>

#include "base/ascii.h"
#include "base/nearest_name.h"
#include "base/strings.h"
#include "interface/cli/own_commands.h"
#include "interface/reports/reports.h"

namespace sibyl::interface {
namespace {

using engine::Operation;
using engine::Parameter;
using engine::ParameterKind;
using engine::ValueType;

std::vector<const Operation*> MakeCommands() {
  std::vector<const Operation*> commands(engine::Operations().begin(), engine::Operations().end());
  for (const Operation* operation :
       {&kServe, &kSite, &kMcp, &kLsp, &kHelp, &kCompletions, &kVersion}) {
    commands.push_back(operation);
  }
  return commands;
}

constexpr std::string_view kColorChoices[] = {"auto", "always", "never"};

constexpr Parameter kGlobalParameters[] = {
    {.name = "oracle",
     .short_name = 'C',
     .value_name = "DIR",
     .help = "the oracle to work in, or @NAME of an installed one, such as @cuda [the nearest "
             "folder with a sibyl.toml]",
     .type = ValueType::kPath},
    {.name = "offline", .help = "open no network connection", .kind = ParameterKind::kFlag},
    {.name = "json",
     .help = "print JSON, also for errors",
     .kind = ParameterKind::kFlag,
     .is_format = true},
    {.name = "sarif",
     .help = "print findings as SARIF 2.1.0",
     .kind = ParameterKind::kFlag,
     .is_format = true},
    {.name = "junit",
     .help = "print findings as JUnit XML",
     .kind = ParameterKind::kFlag,
     .is_format = true},
    {.name = "gitlab",
     .help = "print findings as a GitLab code quality report",
     .kind = ParameterKind::kFlag,
     .is_format = true},
    {.name = "github",
     .help = "print findings as annotations for GitHub Actions",
     .kind = ParameterKind::kFlag,
     .is_format = true},
    {.name = "quiet",
     .short_name = 'q',
     .help = "print results and errors only",
     .kind = ParameterKind::kFlag},
    {.name = "color",
     .value_name = "WHEN",
     .help = "when to use colour",
     .type = ValueType::kChoice,
     .choices = kColorChoices,
     .default_text = "auto"},
    {.name = "help",
     .short_name = 'h',
     .help = "show help, for an operation if one is named",
     .kind = ParameterKind::kFlag},
    {.name = "version",
     .short_name = 'V',
     .help = "show the version",
     .kind = ParameterKind::kFlag},
};

constexpr Operation kGlobalOptions = {
    .name = "sibyl",
    .summary = "options of all operations",
    .description =
        R"(Results go to stdout, and so do the findings of operations that check something. Errors and
summaries go to stderr with `sibyl: ` in front, other findings without it. With `--json` the answer
is one JSON object; its member `version` is 1 and its member `operation` names the operation. Errors
are JSON too, with a member `error`.

Options may come before or after the operation's name, except that an operation's own options must
come after it. `--name=value`, `--name value`, `-n value` and `-nvalue` are equivalent, one-letter
flags can be combined, and nothing after `--` is an option. If an option is given twice, the last
one counts.)",
    .parameters = kGlobalParameters,
};

}  // namespace

const std::vector<const engine::Operation*>& Commands() {
  static const std::vector<const engine::Operation*> commands = MakeCommands();
  return commands;
}

const engine::Operation* FindCommand(std::string_view name) {
  for (const engine::Operation* command : Commands()) {
    if (command->name == name) return command;
  }
  return nullptr;
}

std::vector<const engine::Operation*> CommandsIn(std::string_view group) {
  std::vector<const engine::Operation*> commands;
  for (const engine::Operation* command : Commands()) {
    const std::string_view name = command->name;
    if (name.size() > group.size() && name.starts_with(group) && name[group.size()] == ' ') {
      commands.push_back(command);
    }
  }
  return commands;
}

Error UnknownOperation(std::string_view first, std::string_view second) {
  const std::vector<const engine::Operation*> group = CommandsIn(first);
  const std::string both =
      second.empty() ? std::string(first) : fmt::format("{} {}", first, second);
  std::vector<std::string> names;
  if (!group.empty()) {
    std::vector<std::string> short_names;
    for (const engine::Operation* command : group) {
      names.emplace_back(command->name);
      short_names.emplace_back(command->name.substr(first.size() + 1));
    }
    const std::string list = Join(short_names, ", ");
    if (second.empty()) {
      return {.kind = ErrorKind::kUsage,
              .message = fmt::format("missing operation after '{}': one of {}", first, list)};
    }
    const auto nearest = NearestName(both, names);
    return {.kind = ErrorKind::kUsage,
            .message = fmt::format("unknown operation '{}'{}", both,
                                   nearest ? fmt::format("; did you mean '{}'?", *nearest) : ""),
            .hint = fmt::format("operations of '{}': {}", first, list)};
  }
  for (const engine::Operation* command : Commands()) {
    names.emplace_back(command->name);
    names.emplace_back(command->name.substr(0, command->name.find(' ')));
  }
  auto nearest = NearestName(both, names);
  if (!nearest) nearest = NearestName(first, names);
  return {.kind = ErrorKind::kUsage,
          .message = fmt::format("unknown operation '{}'{}", first,
                                 nearest ? fmt::format("; did you mean '{}'?", *nearest) : ""),
          .hint = "'sibyl -h' lists the operations"};
}

bool IsReport(const Parameter& parameter) { return FindReportFormat(parameter.name) != nullptr; }

const Operation& GlobalOptions() { return kGlobalOptions; }

}  // namespace sibyl::interface
