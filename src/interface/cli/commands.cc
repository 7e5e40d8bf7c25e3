// SPDX-License-Identifier: Apache-2.0
#include "interface/cli/commands.h"

#include <fmt/format.h>

#include "base/ascii.h"
#include "base/nearest_name.h"
#include "base/strings.h"
#include "interface/cli/own_commands.h"
#include "interface/cli/render.h"

namespace sibyl::interface {
namespace {

using engine::Operation;
using engine::Parameter;
using engine::ParameterKind;
using engine::ValueType;

struct Renderer {
  std::string_view operation;
  Rendered (*render)(const engine::Outcome&, const RenderOptions&);
};

// A test checks that every operation of the engine has a line here.
constexpr Renderer kRenderers[] = {
    {"plan show", RenderPlanShow},
    {"plan check", RenderPlanCheck},
    {"plan new", RenderPlanNew},
    {"plan sources", RenderPlanSources},
    {"init", RenderInit},
    {"source add", RenderSourceAdd},
    {"source list", RenderSourceList},
    {"source sync", RenderSourceSync},
    {"source export", RenderSourceExport},
    {"source import", RenderSourceImport},
    {"source remove", RenderSourceRemove},
    {"trust", RenderTrust},
    {"expand", RenderExpand},
    {"status", RenderStatus},
    {"ask", RenderAsk},
    {"search", RenderSearch},
    {"cite", RenderCite},
    {"audit", RenderAudit},
    {"dump", RenderDump},
    {"verify", RenderVerify},
    {"refresh", RenderRefresh},
    {"inspect", RenderInspect},
    {"doctor", RenderDoctor},
    {"lab list", RenderLabList},
    {"lab run", RenderLabRun},
    {"lab show", RenderLabRun},
    {"lab compare", RenderLabCompare},
    {"plan status", RenderPlanStatus},
    {"part claim", RenderPartClaim},
    {"part draft", RenderPartDraft},
    {"part submit", RenderPartSubmit},
    {"part release", RenderPartRelease},
    {"plan finalize", RenderPlanFinalize},
    {"source read", RenderSourceRead},
    {"lab results", RenderLabResults},
};

std::vector<Command> MakeCommands() {
  std::vector<Command> commands;
  for (const Operation* operation : engine::Operations()) {
    Command command{.operation = operation, .render = RenderText};
    for (const Renderer& renderer : kRenderers) {
      if (renderer.operation == operation->name) command.render = renderer.render;
    }
    commands.push_back(command);
  }
  for (const Operation* operation : {&kServe, &kMcp, &kHelp, &kCompletions, &kVersion}) {
    commands.push_back({.operation = operation, .render = RenderText});
  }
  return commands;
}

constexpr std::string_view kColorChoices[] = {"auto", "always", "never"};

constexpr Parameter kGlobalParameters[] = {
    {.name = "oracle",
     .short_name = 'C',
     .value_name = "DIR",
     .help = "the oracle to work in [the nearest folder with a sibyl.toml]",
     .type = ValueType::kPath},
    {.name = "offline",
     .help = "open no network connection, whatever other options say",
     .kind = ParameterKind::kFlag},
    {.name = "json", .help = "print JSON, also for errors", .kind = ParameterKind::kFlag},
    {.name = "sarif",
     .help = "print SARIF 2.1.0, for operations that have findings",
     .kind = ParameterKind::kFlag},
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
        R"(Results go to stdout, everything else to stderr with `sibyl: ` in front. With `--json` the answer is
one JSON object; its member `version` is 1 and its member `operation` names the operation. Errors
are JSON too, with a member `error`.

Options may come before or after the operation's name, except that an operation's own options must
come after it. `--name=value`, `--name value`, `-n value` and `-nvalue` are equivalent, one-letter
flags can be combined, and nothing after `--` is an option. If an option is given twice, the last
one counts.)",
    .parameters = kGlobalParameters,
};

}  // namespace

const std::vector<Command>& Commands() {
  static const std::vector<Command> commands = MakeCommands();
  return commands;
}

const Command* FindCommand(std::string_view name) {
  for (const Command& command : Commands()) {
    if (command.operation->name == name) return &command;
  }
  return nullptr;
}

std::vector<const Command*> CommandsIn(std::string_view group) {
  std::vector<const Command*> commands;
  for (const Command& command : Commands()) {
    const std::string_view name = command.operation->name;
    if (name.size() > group.size() && name.starts_with(group) && name[group.size()] == ' ') {
      commands.push_back(&command);
    }
  }
  return commands;
}

const Operation* FindToolOperation(std::string_view tool) {
  for (const Command& command : Commands()) {
    if (!tool.empty() && command.operation->tool.name == tool) return command.operation;
  }
  return nullptr;
}

std::string WithCommands(std::string_view text) {
  const auto is_of_name = [](char c) { return IsAlphanumeric(c) || c == '_'; };
  std::string replaced;
  while (!text.empty()) {
    std::size_t length = 0;
    while (length < text.size() && is_of_name(text[length])) ++length;
    const std::string_view word = text.substr(0, length);
    const Operation* operation =
        word.find('_') == std::string_view::npos ? nullptr : FindToolOperation(word);
    if (length == 0) {
      replaced += text[length++];
    } else if (operation == nullptr) {
      replaced += word;
    } else {
      replaced += fmt::format("'sibyl {}'", operation->name);
    }
    text.remove_prefix(length);
  }
  return replaced;
}

Error UnknownOperation(std::string_view first, std::string_view second) {
  const std::vector<const Command*> group = CommandsIn(first);
  const std::string both =
      second.empty() ? std::string(first) : fmt::format("{} {}", first, second);
  std::vector<std::string> names;
  if (!group.empty()) {
    std::vector<std::string> short_names;
    for (const Command* command : group) {
      names.emplace_back(command->operation->name);
      short_names.emplace_back(command->operation->name.substr(first.size() + 1));
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
  for (const Command& command : Commands()) {
    names.emplace_back(command.operation->name);
    names.emplace_back(command.operation->name.substr(0, command.operation->name.find(' ')));
  }
  auto nearest = NearestName(both, names);
  if (!nearest) nearest = NearestName(first, names);
  return {.kind = ErrorKind::kUsage,
          .message = fmt::format("unknown operation '{}'{}", first,
                                 nearest ? fmt::format("; did you mean '{}'?", *nearest) : ""),
          .hint = "'sibyl -h' lists the operations"};
}

const Operation& GlobalOptions() { return kGlobalOptions; }

}  // namespace sibyl::interface
