// SPDX-License-Identifier: Apache-2.0
#include "interface/cli/answer.h"

#include <fmt/format.h>

#include "engine/context.h"
#include "interface/cli/board.h"
#include "interface/cli/command_line.h"
#include "interface/cli/manual.h"
#include "interface/cli/render.h"
#include "interface/cli/render_findings.h"
#include "interface/json_answer.h"
#include "interface/sarif.h"

namespace sibyl::interface {
namespace {

constexpr int kHolds = 0;
constexpr int kDoesNotHold = 1;

Terminal WithColourChoice(Terminal terminal, std::string_view choice) {
  if (choice == "always") terminal.has_colour = true;
  if (choice == "never") terminal.has_colour = false;
  return terminal;
}

BoardForm FormOf(const CommandLine& line, const Terminal& terminal) {
  if (line.globals.Has("json")) return BoardForm::kJson;
  return terminal.is_terminal ? BoardForm::kDrawn : BoardForm::kLines;
}

Result<engine::Outcome> RunCommand(const CommandLine& line, const Surroundings& surroundings) {
  const engine::Operation& operation = *line.command->operation;
  engine::Context context{
      .working_folder = surroundings.working_folder,
      .oracle = std::nullopt,
      .clock = surroundings.clock,
      .catch_interrupt = surroundings.catch_interrupt,
      .network = line.globals.Has("offline") ? Network::kForbidden : Network::kAllowed,
      .confirm = surroundings.confirm};
  const Terminal terminal = WithColourChoice(surroundings.err, line.globals.Text("color"));
  LiveBoard board(FormOf(line, terminal), terminal, surroundings.talk);
  if (!line.globals.Has("quiet")) {
    context.progress = surroundings.progress;
    if (surroundings.talk) {
      context.event = [&board](const engine::RunEvent& event) { board.Tell(event); };
    }
  }
  const bool touches_files = operation.effects.reads || operation.effects.writes;
  if (touches_files) {
    if (surroundings.trouble) return Error(*surroundings.trouble);
    if (line.globals.Has("oracle")) {
      context.oracle =
          SIBYL_TRY(engine::ChooseOracle(context.working_folder, line.globals.Text("oracle")));
    } else {
      context.oracle = engine::FindOracle(context.working_folder);
    }
  }
  return engine::RunOperation(operation, context, line.arguments);
}

Answer Failure(std::string_view operation, const Error& error, bool as_json,
               const Terminal& terminal) {
  Answer answer{.exit_code = ExitCode(error.kind)};
  if (as_json) {
    answer.out = FormatJson(ErrorAsJson(operation, error)) + '\n';
  } else {
    answer.err = RenderError(error, terminal);
  }
  return answer;
}

}  // namespace

int ExitCode(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kCancelled:
      return 130;
    case ErrorKind::kUsage:
    case ErrorKind::kNotFound:
    case ErrorKind::kCorrupt:
    case ErrorKind::kUnavailable:
      return 2;
  }
  return 2;
}

Answer AnswerCommandLine(std::span<const std::string_view> words,
                         const Surroundings& surroundings) {
  if (words.empty()) {
    return {.err = HelpScreen(), .exit_code = ExitCode(ErrorKind::kUsage)};
  }
  const auto line = ParseCommandLine(words);
  if (!line.ok()) return Failure({}, line.error(), WantsJson(words), surroundings.err);

  const std::string_view name = line->command->operation->name;
  const std::string_view colour = line->globals.Text("color");
  auto outcome = RunCommand(*line, surroundings);
  if (!outcome.ok()) {
    return Failure(name, outcome.error(), line->globals.Has("json"),
                   WithColourChoice(surroundings.err, colour));
  }
  Answer answer{.exit_code = outcome->holds ? kHolds : kDoesNotHold};
  // A batch answers in JSON lines already; wrapping them would make a reader
  // wait for the last.
  const bool json_lines = outcome->data.contains("json_lines");
  if (line->globals.Has("json") && !json_lines) {
    answer.out = FormatJson(AnswerAsJson(name, *std::move(outcome))) + '\n';
  } else if (line->globals.Has("sarif")) {
    const std::vector<engine::Rule> rules = line->command->operation->rules();
    answer.out = FormatJson(FindingsAsSarif(outcome->findings, rules)) + '\n';
  } else {
    Rendered rendered = line->command->render(
        *outcome,
        {.terminal = WithColourChoice(surroundings.out, colour), .arguments = line->arguments});
    answer.out = std::move(rendered.results);
    if (!line->globals.Has("quiet")) answer.err = std::move(rendered.talk);
  }
  return answer;
}

}  // namespace sibyl::interface
