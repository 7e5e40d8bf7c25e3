// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/strings.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "interface/cli/commands.h"
#include "interface/cli/manual.h"
#include "interface/cli/own_commands.h"
#include "oracle/context.h"

namespace sibyl::interface {
namespace {

using engine::Operation;
using engine::Outcome;
using engine::Parameter;
using engine::ParameterKind;

Json ParameterAsJson(const Parameter& parameter) {
  constexpr std::string_view kKinds[] = {"positional", "option", "flag"};
  constexpr std::string_view kTypes[] = {"text", "path", "integer", "choice"};
  Json json = {{"name", parameter.name},
               {"kind", kKinds[static_cast<std::size_t>(parameter.kind)]},
               {"help", parameter.help},
               {"required", parameter.required},
               {"repeated", parameter.repeated}};
  if (parameter.short_name != '\0') json["short_name"] = std::string(1, parameter.short_name);
  if (parameter.kind != ParameterKind::kFlag) {
    json["type"] = kTypes[static_cast<std::size_t>(parameter.type)];
    json["value_name"] = parameter.value_name;
  }
  for (const std::string_view choice : parameter.choices) json["choices"].push_back(choice);
  if (!parameter.default_text.empty()) json["default"] = parameter.default_text;
  return json;
}

std::string_view NetworkUseName(engine::NetworkUse use) {
  if (use == engine::NetworkUse::kNone) return "never";
  return use == engine::NetworkUse::kAlways ? "always" : "on request";
}

Json OperationAsJson(const Operation& operation) {
  Json parameters = Json::array();
  for (const Parameter& parameter : operation.parameters) {
    parameters.push_back(ParameterAsJson(parameter));
  }
  return {{"name", operation.name},
          {"summary", operation.summary},
          {"parameters", std::move(parameters)},
          {"effects",
           {{"reads", operation.effects.reads},
            {"writes", operation.effects.writes},
            {"network", operation.effects.network != engine::NetworkUse::kNone},
            {"network_use", NetworkUseName(operation.effects.network)}}},
          {"reports_findings", operation.reports_findings}};
}

std::string ManPage() {
  std::vector<Manual> operations;
  for (const engine::Operation* command : Commands()) {
    operations.push_back(DescribeOperation(*command));
  }
  return ManualAsRoff(DescribeProgram(), operations);
}

std::string HelpOf(const std::string& topic, std::size_t columns) {
  const engine::Operation* command = FindCommand(topic);
  return command == nullptr ? HelpScreen(topic, columns)
                            : ManualAsText(DescribeOperation(*command), columns);
}

engine::Rendered RenderHelp(const Outcome& outcome, const engine::RenderOptions& options) {
  const engine::Arguments& arguments = options.arguments;
  if (arguments.Has("man") || arguments.Has("markdown") || options.columns() > kTextColumns) {
    return engine::RenderText(outcome, options);
  }
  return {.results = HelpOf(Join(arguments.All("operation"), " "), options.columns())};
}

Result<Outcome> RunHelp(const oracle::Context&, const engine::Arguments& arguments) {
  Outcome outcome;
  const std::vector<std::string> words = arguments.All("operation");
  const std::string topic = Join(words, " ");
  Json operations = Json::array();
  for (const engine::Operation* command : Commands()) {
    const std::string_view name = command->name;
    if (topic.empty() || name == topic || name.starts_with(topic + " ")) {
      operations.push_back(OperationAsJson(*command));
    }
  }
  if (operations.empty()) {
    return UnknownOperation(words.front(),
                            topic.substr(std::min(words.front().size() + 1, topic.size())));
  }
  if (arguments.Has("man")) {
    outcome.data["text"] = ManPage();
  } else if (arguments.Has("markdown")) {
    outcome.data["text"] = ManualPage();
  } else {
    outcome.data["text"] = HelpOf(topic, kTextColumns);
  }
  outcome.data["operations"] = std::move(operations);
  return outcome;
}

constexpr Parameter kHelpParameters[] = {
    {.name = "operation",
     .value_name = "OPERATION",
     .help = "the operation's name, one or two words",
     .kind = ParameterKind::kPositional,
     .repeated = true},
    {.name = "man",
     .help = "print the whole manual as a man page in roff",
     .kind = ParameterKind::kFlag},
    {.name = "markdown",
     .help = "print the whole manual as Markdown, as in docs/cli.md",
     .kind = ParameterKind::kFlag},
};

}  // namespace

constexpr Operation kHelp = {
    .name = "help",
    .summary = "show this overview, or an operation's manual",
    .description =
        R"(Without an operation, prints an overview on one screen. With `--json`, prints the table of
operations from which all help is generated.

Read the man page without installing it, or install it:

  sibyl help --man | man -l -
  sibyl help --man > ~/.local/share/man/man1/sibyl.1)",
    .parameters = kHelpParameters,
    .run = RunHelp,
    .render = RenderHelp,
};

}  // namespace sibyl::interface
