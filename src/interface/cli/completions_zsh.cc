// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/strings.h"
#include "interface/cli/commands.h"
#include "interface/cli/completions.h"

namespace sibyl::interface {
namespace {

using engine::Operation;
using engine::Parameter;
using engine::ParameterKind;
using engine::ValueType;

/// For the inside of single quotes in a spec of _arguments.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'') {
      escaped += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string ValueAction(const Parameter& parameter) {
  if (parameter.type == ValueType::kChoice) {
    return fmt::format("({})", fmt::join(parameter.choices, " "));
  }
  if (parameter.type != ValueType::kPath) return " ";
  return parameter.value_name == "DIR" ? "_files -/" : "_files";
}

/// One argument of _arguments, for example '(-o --output)'{-o,--output}'[…]:FILE:_files'.
std::string Spec(const Parameter& parameter) {
  if (parameter.kind == ParameterKind::kPositional) {
    return fmt::format("'{}:{}:{}'", parameter.repeated ? "*" : "", Escaped(parameter.value_name),
                       ValueAction(parameter));
  }
  std::string rest = fmt::format("[{}]", Escaped(parameter.help));
  if (parameter.kind == ParameterKind::kOption) {
    rest += fmt::format(":{}:{}", Escaped(parameter.value_name), ValueAction(parameter));
  }
  const std::string equals = parameter.kind == ParameterKind::kOption ? "=" : "";
  if (parameter.short_name == '\0') return fmt::format("'--{}{}{}'", parameter.name, equals, rest);
  return fmt::format("'(-{0} --{1})'{{-{0},--{1}{2}}}'{3}'", parameter.short_name, parameter.name,
                     equals, rest);
}

/// Lines for _describe: the words that may follow `group`.
std::string Choices(std::string_view group) {
  std::string lines;
  for (const std::string& prefix : OperationPrefixes()) {
    const bool inside = group.empty() ? prefix.find(' ') == std::string::npos
                                      : prefix.starts_with(fmt::format("{} ", group));
    if (!inside) continue;
    const engine::Operation* command = FindCommand(prefix);
    std::string summary;
    if (command != nullptr) {
      summary = command->summary;
    } else {
      std::vector<std::string> names;
      for (const engine::Operation* member : CommandsIn(prefix)) {
        names.emplace_back(member->name.substr(prefix.size() + 1));
      }
      summary = Join(names, ", ");
    }
    lines += fmt::format("        '{}:{}'\n", prefix.substr(group.empty() ? 0 : group.size() + 1),
                         Escaped(summary));
  }
  return lines;
}

std::string GroupCase(std::string_view group) {
  return fmt::format(R"(    {})
      choices=(
{}      )
      if [[ $words[CURRENT] == -* ]]; then _arguments -s -S $globals; else
        _describe -t operations operation choices
      fi ;;
)",
                     group.empty() ? "''" : group, Choices(group));
}

}  // namespace

std::string ZshCompletions() {
  std::vector<std::string> quoted;
  for (const std::string& prefix : OperationPrefixes()) quoted.push_back("'" + prefix + "'");
  std::string code =
      "#compdef sibyl\n# printed by 'sibyl completions zsh'\n_sibyl() {\n"
      "  local -a globals choices\n  globals=(\n";
  for (const Parameter& parameter : GlobalOptions().parameters) {
    if (!IsReport(parameter)) code += fmt::format("    {}\n", Spec(parameter));
  }
  code += fmt::format(R"(  )
  local operation= word
  integer index=2 taken=1
  while (( index < CURRENT )); do
    word=$words[index]
    case $word in
      ({}) (( index += 2 )); continue ;;
      (-*) (( index++ )); continue ;;
    esac
    case "${{operation:+$operation }}$word" in
      ({}) operation="${{operation:+$operation }}$word"; taken=$index ;;
      (*) break ;;
    esac
    (( index++ ))
  done
  case $operation in
{})",
                      Join(GlobalOptionsWithValue(), "|"), Join(quoted, "|"), GroupCase(""));
  for (const std::string& prefix : OperationPrefixes()) {
    if (!CommandsIn(prefix).empty()) code += GroupCase(prefix);
  }
  for (const engine::Operation* command : Commands()) {
    const Operation& operation = *command;
    code += fmt::format(
        "    '{}')\n      shift $(( taken - 1 )) words\n"
        "      (( CURRENT -= taken - 1 ))\n      _arguments -s -S $globals",
        operation.name);
    if (operation.reports_findings) {
      for (const Parameter& parameter : GlobalOptions().parameters) {
        if (IsReport(parameter)) code += fmt::format(" \\\n        {}", Spec(parameter));
      }
    }
    for (const Parameter& parameter : operation.parameters) {
      code += fmt::format(" \\\n        {}", Spec(parameter));
    }
    code += " ;;\n";
  }
  return code + "  esac\n}\n_sibyl \"$@\"\n";
}

}  // namespace sibyl::interface
