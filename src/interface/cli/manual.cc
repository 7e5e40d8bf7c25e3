// SPDX-License-Identifier: Apache-2.0
#include "interface/cli/manual.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "engine/text/columns.h"
#include "interface/cli/commands.h"

namespace sibyl::interface {
namespace {

using engine::Operation;
using engine::Parameter;
using engine::ParameterKind;

constexpr std::string_view kAbout =
    "Sibyl builds, audits and serves knowledge bases in which every statement has a citation that "
    "a program can check.";

ManualBlock Paragraph(std::string_view text) { return {.paragraph = std::string(text)}; }

/// Splits a description at its empty lines; a block whose first line is
/// indented is literal.
std::vector<ManualBlock> SplitDescription(std::string_view text) {
  std::vector<ManualBlock> blocks;
  while (!text.empty()) {
    const std::size_t end = text.find("\n\n");
    const std::string_view block = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
    if (block.starts_with("  ")) {
      blocks.push_back({.literal = std::string(block)});
    } else {
      blocks.push_back(Paragraph(block));
    }
  }
  return blocks;
}

std::string HelpOf(const Parameter& parameter) {
  std::string help(parameter.help);
  if (!parameter.choices.empty()) {
    help += fmt::format(": {}", fmt::join(parameter.choices, ", "));
  }
  if (!parameter.default_text.empty()) help += fmt::format(" [{}]", parameter.default_text);
  return help;
}

void AddParameters(const Operation& operation, bool positional, std::string_view title,
                   Manual& manual) {
  ManualBlock block;
  for (const Parameter& parameter : operation.parameters) {
    if ((parameter.kind == ParameterKind::kPositional) == positional) {
      block.entries.push_back({ParameterTerm(parameter), HelpOf(parameter)});
    }
  }
  if (block.entries.empty()) return;
  manual.sections.push_back({.title = std::string(title), .blocks = {std::move(block)}});
}

/// " TERM", or " [TERM]" when it may be left out.
std::string Bracketed(const Parameter& parameter, std::string_view term) {
  return parameter.required ? fmt::format(" {}", term) : fmt::format(" [{}]", term);
}

std::string Usage(const Operation& operation) {
  std::string usage = fmt::format("sibyl {}", operation.name);
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.kind == ParameterKind::kPositional) continue;
    const std::string name = parameter.short_name != '\0' ? fmt::format("-{}", parameter.short_name)
                                                          : fmt::format("--{}", parameter.name);
    const std::string value =
        parameter.value_name.empty() ? "" : fmt::format(" {}", parameter.value_name);
    usage += Bracketed(parameter, name + value);
  }
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.kind != ParameterKind::kPositional) continue;
    usage += Bracketed(parameter, ParameterTerm(parameter));
  }
  return usage;
}

// "uses the network only with `--web`"
std::string NetworkClause(const Operation& operation) {
  if (operation.effects.network == engine::NetworkUse::kNone) return "uses no network";
  if (operation.effects.network == engine::NetworkUse::kAlways) return "uses the network";
  std::vector<std::string> options;
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.uses_network) options.push_back(fmt::format("`--{}`", parameter.name));
  }
  return fmt::format("uses the network only with {}", fmt::join(options, " or "));
}

std::string EffectsSentence(const Operation& operation) {
  const engine::Effects& effects = operation.effects;
  if (!effects.reads && !effects.writes && effects.network == engine::NetworkUse::kNone) {
    return "Uses no files and no network.";
  }
  std::string sentence = effects.reads ? "Reads files" : "Reads no files";
  sentence += effects.writes ? ", writes files" : ", writes no files";
  return fmt::format("{}, {}.", sentence, NetworkClause(operation));
}

constexpr std::pair<std::string_view, std::string_view> kExitCodes[] = {
    {"0", "success"},
    {"1", "a check failed, or something was not found or not delivered"},
    {"2", "error; stderr says why"},
    {"130", "interrupted"},
};

}  // namespace

std::string ParameterTerm(const Parameter& parameter) {
  if (parameter.kind == ParameterKind::kPositional) {
    const bool goes_on = parameter.repeated || parameter.takes_words;
    return fmt::format("{}{}", parameter.value_name, goes_on ? "..." : "");
  }
  std::string term = parameter.short_name != '\0' ? fmt::format("-{}, ", parameter.short_name) : "";
  term += fmt::format("--{}", parameter.name);
  if (!parameter.value_name.empty()) term += fmt::format(" {}", parameter.value_name);
  return term;
}

Manual DescribeOperation(const Operation& operation) {
  Manual manual{.name = fmt::format("sibyl {}", operation.name),
                .summary = std::string(operation.summary),
                .usage = Usage(operation)};
  manual.sections.push_back({.title = "", .blocks = SplitDescription(operation.description)});
  AddParameters(operation, true, "arguments", manual);
  AddParameters(operation, false, "options", manual);
  if (operation.rules != nullptr) {
    ManualBlock block;
    for (const Rule& rule : operation.rules()) {
      block.entries.push_back({std::string(rule.code), std::string(rule.meaning)});
    }
    manual.sections.push_back({.title = "findings", .blocks = {std::move(block)}});
  }
  std::string touches = EffectsSentence(operation);
  touches += operation.reports_findings
                 ? " Output: text, JSON, SARIF, JUnit, GitLab code quality or GitHub annotations."
                 : " Output: text or JSON.";
  touches += " `sibyl -h` lists the options that all operations have.";
  manual.sections.push_back({.title = "notes", .blocks = {Paragraph(touches)}});
  return manual;
}

Manual DescribeProgram() {
  Manual manual{.name = "sibyl",
                .summary = "knowledge bases in which every statement has a citation",
                .usage = "sibyl [OPTION...] OPERATION [ARGUMENT...]"};
  manual.sections.push_back({.title = "", .blocks = SplitDescription(GlobalOptions().description)});
  manual.sections.front().blocks.insert(manual.sections.front().blocks.begin(), Paragraph(kAbout));
  AddParameters(GlobalOptions(), false, "options of all operations", manual);
  ManualBlock codes;
  for (const auto& [code, meaning] : kExitCodes) {
    codes.entries.push_back({std::string(code), std::string(meaning)});
  }
  manual.sections.push_back({.title = "exit status", .blocks = {std::move(codes)}});
  manual.sections.push_back(
      {.title = "environment",
       .blocks = {{.entries = {
                       {"NO_COLOR",
                        "if set and not empty, no colour unless `--color=always`, and no links"},
                       {"FORCE_HYPERLINK",
                        "1: places and addresses are links (OSC 8) on any terminal; 0: never. "
                        "Otherwise on terminals that are known to show them. There are none with "
                        "`--color=never`, and never any in pipes and files"},
                       {"COLUMNS", "the output width, if the terminal does not report it"},
                       {"SIBYL_OFFLINE", "if set and not 0, same as `--offline`"},
                       {"SOURCE_DATE_EPOCH",
                        "the date used in everything that is written, in seconds since 1970"},
                   }}}});
  manual.sections.push_back(
      {.title = "files",
       .blocks = {
           {.entries = {
                {"sibyl.toml", "marks an oracle; declares its sources, web search and model"},
                {"_ingest-auto/", "the oracle's plans, one folder for each"},
            }}}});
  return manual;
}

std::string HelpScreen(std::string_view group, std::size_t columns) {
  columns = std::min(columns, kTextColumns);
  std::string screen;
  if (group.empty()) {
    screen =
        "sibyl: knowledge bases in which every statement has a citation\n\n"
        "usage: sibyl [OPTION...] OPERATION [ARGUMENT...]\n\noperations:\n";
  } else {
    screen =
        fmt::format("usage: sibyl [OPTION...] {} OPERATION [ARGUMENT...]\n\noperations:\n", group);
  }
  std::vector<ManualEntry> operations;
  for (const engine::Operation* command : Commands()) {
    const Operation& operation = *command;
    if (!group.empty() && !operation.name.starts_with(fmt::format("{} ", group))) continue;
    std::string term(operation.name);
    for (const Parameter& parameter : operation.parameters) {
      if (parameter.kind != ParameterKind::kPositional) continue;
      term += Bracketed(parameter, ParameterTerm(parameter));
    }
    operations.push_back({std::move(term), std::string(operation.summary)});
  }
  std::vector<ManualEntry> options;
  bool has_reports = false;  // the formats for findings share a line
  for (const Parameter& parameter : GlobalOptions().parameters) {
    if (!IsReport(parameter)) {
      options.push_back({ParameterTerm(parameter), HelpOf(parameter)});
    } else if (!std::exchange(has_reports, true)) {
      options.push_back({ParameterTerm(parameter), "print SARIF; or"});
    } else {
      options.back().text += fmt::format(" {}", ParameterTerm(parameter));
    }
  }
  std::size_t width = 0;
  for (const auto* entries : {&operations, &options}) {
    for (const ManualEntry& entry : *entries) width = std::max(width, entry.term.size());
  }
  screen += EntriesAsText(operations, width, columns);
  screen += "\noptions of all operations:\n";
  screen += EntriesAsText(options, width, columns);
  screen +=
      "\n'sibyl help OPERATION' shows an operation's manual.\nExit: 0 success, 1 a check failed, 2 "
      "error, 130 interrupted.\n";
  return screen;
}

}  // namespace sibyl::interface
