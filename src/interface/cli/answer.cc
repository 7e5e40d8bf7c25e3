// SPDX-License-Identifier: Apache-2.0
#include "interface/cli/answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hyperlink.h"
#include "base/utf8.h"
#include "engine/text/render.h"
#include "engine/text/render_findings.h"
#include "engine/tool_names.h"
#include "interface/cli/board.h"
#include "interface/cli/command_line.h"
#include "interface/cli/commands.h"
#include "interface/cli/fold.h"
#include "interface/cli/manual.h"
#include "interface/json_answer.h"
#include "interface/reports/reports.h"
#include "oracle/context.h"

namespace sibyl::interface {
namespace {

constexpr int kHolds = 0;
constexpr int kDoesNotHold = 1;

Terminal WithColourChoice(Terminal terminal, std::string_view choice) {
  if (choice == "always") terminal.has_colour = true;
  if (choice == "never") terminal.has_colour = terminal.has_links = false;
  return terminal;
}

BoardForm FormOf(const CommandLine& line, const Terminal& terminal) {
  if (line.globals.Has("json")) return BoardForm::kJson;
  return terminal.is_terminal ? BoardForm::kDrawn : BoardForm::kLines;
}

Result<engine::Outcome> RunCommand(const CommandLine& line, const CommandEnvironment& environment) {
  const engine::Operation& operation = *line.command;
  oracle::Context context{
      .working_folder = environment.working_folder,
      .oracle = std::nullopt,
      .clock = environment.clock,
      .catch_interrupt = environment.catch_interrupt,
      .serve_metrics = environment.serve_metrics,
      .network = line.globals.Has("offline") ? Network::kForbidden : Network::kAllowed,
      .confirm = environment.confirm};
  const Terminal terminal = WithColourChoice(environment.err, line.globals.Text("color"));
  LiveBoard board(FormOf(line, terminal), terminal, environment.talk, environment.probe_err);
  if (!line.globals.Has("quiet") && !environment.is_logged) {
    context.progress = environment.progress;
    if (environment.talk) {
      context.event = [&board](const oracle::RunEvent& event) { board.Tell(event); };
    }
  }
  const bool touches_files = operation.effects.reads || operation.effects.writes;
  if (touches_files) {
    if (environment.trouble) return Error(*environment.trouble);
    if (line.globals.Has("oracle")) {
      const std::string_view chosen = line.globals.Text("oracle");
      context.oracle = SIBYL_TRY(oracle::ChooseOracle(context.working_folder, chosen));
      context.is_chosen = true;
      context.is_installed = chosen.starts_with('@');
    } else {
      context.oracle = oracle::FindOracle(context.working_folder);
    }
  }
  return engine::RunOperation(operation, context, line.arguments);
}

// Removes control sequences from names, titles and messages, so that they
// cannot control the reader's terminal, even through a pipe. Renderers also
// escape values, where a line break would be harmful. Styles and our own links
// are kept where the output shows them: what was rendered for a terminal may be
// written to a log.
std::string HarmlessText(std::string_view text, const Terminal& terminal) {
  std::string harmless;
  while (!text.empty()) {
    const std::size_t stop = std::min(text.find_first_of("\n\x1b"), text.size());
    harmless += Harmless(text.substr(0, stop));
    text.remove_prefix(stop);
    if (text.empty()) break;
    std::size_t taken = 1;
    if (text[0] == '\n') {
      harmless += '\n';
    } else if (const std::size_t style = StyleLength(text); style > 0) {
      taken = style;
      if (terminal.has_colour) harmless += text.substr(0, style);
    } else if (const std::size_t link = LinkLength(text); link > 0) {
      taken = link;
      if (terminal.has_links) harmless += text.substr(0, link);
    } else {
      harmless += Harmless(text.substr(0, 1));
    }
    text.remove_prefix(taken);
  }
  return harmless;
}

// What a person reads in a window.
std::string ShownText(std::string_view text, const Terminal& terminal) {
  const std::string harmless = HarmlessText(text, terminal);
  return terminal.is_terminal ? FoldLines(harmless, terminal.columns) : harmless;
}

// The same for JSON, where it is another spelling of the same value.
std::string HarmlessJson(std::string_view json) {
  std::string harmless;
  while (!json.empty()) {
    const Utf8Character next = DecodeUtf8(json);
    const std::string_view bytes = json.substr(0, next.bytes);
    const auto code = static_cast<unsigned>(next.code_point);
    const bool is_harmful = code >= 0x7F && Harmless(bytes) != bytes;
    harmless += is_harmful ? fmt::format("\\u{:04x}", code) : std::string(bytes);
    json.remove_prefix(next.bytes);
  }
  return harmless;
}

const ReportFormat* ReportWanted(const CommandLine& line) {
  for (const ReportFormat& format : ReportFormats()) {
    if (line.globals.Has(format.name)) return &format;
  }
  return nullptr;
}

CommandAnswer Failure(std::string_view operation, Error error, bool as_json,
                      const Terminal& terminal) {
  CommandAnswer answer{.exit_code = ExitCode(error.kind, operation)};
  if (as_json) {
    answer.out = HarmlessJson(FormatJson(ErrorAsJson(operation, error)) + '\n');
  } else {
    error.hint = engine::WithCommands(error.hint);
    answer.err = ShownText(engine::RenderError(error, terminal), terminal);
  }
  return answer;
}

}  // namespace

int ExitCode(ErrorKind kind, std::string_view command) {
  constexpr int kTryAgain = 75;  // EX_TEMPFAIL of sysexits.h
  switch (kind) {
    case ErrorKind::kCancelled:
      return 130;
    case ErrorKind::kUsage:
    case ErrorKind::kNotFound:
    case ErrorKind::kCorrupt:
      return 2;
    case ErrorKind::kUnavailable:
      return command == "worker" ? kTryAgain : 2;
  }
  return 2;
}

CommandAnswer AnswerCommandLine(std::span<const std::string_view> words,
                                const CommandEnvironment& environment) {
  if (words.empty()) {
    const Terminal& window = environment.err;
    const std::size_t columns = window.is_terminal ? window.columns : kTextColumns;
    return {.err = HelpScreen({}, columns), .exit_code = ExitCode(ErrorKind::kUsage)};
  }
  const auto line = ParseCommandLine(words);
  if (!line.ok()) return Failure({}, line.error(), WantsJson(words), environment.err);

  const std::string_view name = line->command->name;
  const std::string_view colour = line->globals.Text("color");
  auto outcome = RunCommand(*line, environment);
  if (!outcome.ok()) {
    return Failure(name, outcome.error(), line->globals.Has("json"),
                   WithColourChoice(environment.err, colour));
  }
  CommandAnswer answer{.exit_code = outcome->holds ? kHolds : kDoesNotHold};
  // A batch answers in JSON lines already; wrapping them would make a reader
  // wait for the last.
  const bool json_lines = outcome->data.contains("json_lines");
  if (line->globals.Has("json") && !json_lines) {
    answer.out = HarmlessJson(FormatJson(AnswerAsJson(name, *std::move(outcome))) + '\n');
  } else if (const ReportFormat* format = ReportWanted(*line)) {
    const std::string report = format->write(*line->command, *outcome);
    answer.out = format->is_json ? HarmlessJson(report) : HarmlessText(report, Terminal{});
  } else {
    const std::string folder = environment.working_folder.string();
    Terminal out =
        WithColourChoice(environment.probe_out ? environment.probe_out() : environment.out, colour);
    out.folder_view = folder;
    const engine::Rendered rendered = line->command->render(
        *outcome,
        {.terminal = out, .arguments = line->arguments, .oracle = line->globals.Text("oracle")});
    answer.out = json_lines ? HarmlessJson(rendered.results) : ShownText(rendered.results, out);
    answer.out += rendered.quoted;
    if (!line->globals.Has("quiet") && !environment.is_logged) {
      answer.err = ShownText(rendered.talk, WithColourChoice(environment.err, colour));
    }
  }
  return answer;
}

}  // namespace sibyl::interface
