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

std::string Quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string ValueFlags(const Parameter& parameter) {
  switch (parameter.type) {
    case ValueType::kChoice:
      return fmt::format(" -xa '{}'", fmt::join(parameter.choices, " "));
    case ValueType::kPath:
      return parameter.value_name == "DIR" ? " -xa '(__fish_complete_directories)'" : " -rF";
    case ValueType::kText:
    case ValueType::kInteger:
      break;
  }
  return " -x";
}

std::string Line(std::string_view condition, const Parameter& parameter) {
  std::string line = "complete -c sibyl";
  if (!condition.empty()) line += fmt::format(" -n {}", Quoted(condition));
  if (parameter.kind == ParameterKind::kPositional) {
    if (parameter.type == ValueType::kPath) return line + " -F\n";
    if (parameter.type != ValueType::kChoice) return {};
    return line + fmt::format(" -a '{}'\n", fmt::join(parameter.choices, " "));
  }
  if (parameter.short_name != '\0') line += fmt::format(" -s {}", parameter.short_name);
  line += fmt::format(" -l {}", parameter.name);
  if (parameter.kind == ParameterKind::kOption) line += ValueFlags(parameter);
  return line + fmt::format(" -d {}\n", Quoted(parameter.help));
}

}  // namespace

std::string FishCompletions() {
  std::vector<std::string> quoted;
  for (const std::string& prefix : OperationPrefixes()) quoted.push_back(Quoted(prefix));
  std::string code = fmt::format(R"(# fish completion for sibyl, printed by 'sibyl completions fish'
function __sibyl_at --description 'Whether these words, and no more, name the operation so far'
    set -l name
    set -l is_value no
    for word in (commandline -opc)[2..]
        if test $is_value = yes
            set is_value no
            continue
        end
        switch $word
            case {}
                set is_value yes
                continue
            case '-*'
                continue
        end
        set -l longer (string join ' ' $name $word)
        contains -- $longer {}; or break
        set name $longer
    end
    test "$name" = "$argv"
end

complete -c sibyl -f
)",
                                 Join(GlobalOptionsWithValue(), " "), Join(quoted, " "));
  for (const Parameter& parameter : GlobalOptions().parameters) {
    if (!IsReport(parameter)) code += Line("", parameter);
  }
  for (const std::string& prefix : OperationPrefixes()) {
    const std::size_t space = prefix.find(' ');
    const std::string group = space == std::string::npos ? "" : prefix.substr(0, space);
    const engine::Operation* command = FindCommand(prefix);
    code += fmt::format("complete -c sibyl -n '__sibyl_at {}' -a {} -d {}\n", group,
                        space == std::string::npos ? prefix : prefix.substr(space + 1),
                        Quoted(command != nullptr ? command->summary : "operations"));
  }
  for (const engine::Operation* command : Commands()) {
    const Operation& operation = *command;
    const std::string here = fmt::format("__sibyl_at {}", operation.name);
    for (const Parameter& parameter : operation.parameters) code += Line(here, parameter);
    if (!operation.reports_findings) continue;
    for (const Parameter& parameter : GlobalOptions().parameters) {
      if (IsReport(parameter)) code += Line(here, parameter);
    }
  }
  return code;
}

}  // namespace sibyl::interface
