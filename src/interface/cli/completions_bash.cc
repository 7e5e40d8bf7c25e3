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

/// The shell code that completes a value of the parameter.
std::string ValueCode(const Parameter& parameter) {
  if (parameter.type == ValueType::kChoice) {
    return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$current\"))",
                       fmt::join(parameter.choices, " "));
  }
  if (parameter.type != ValueType::kPath) return "COMPREPLY=()";
  const bool folder = parameter.value_name == "DIR";
  return fmt::format("compopt -o filenames; COMPREPLY=($(compgen -{} -- \"$current\"))",
                     folder ? 'd' : 'f');
}

/// Lines of a case over the word before the cursor.
std::string OptionValueCases(const Operation& operation) {
  std::string cases;
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.kind != ParameterKind::kOption) continue;
    cases += fmt::format("      {}) {}; return ;;\n", Join(OptionNames(parameter), "|"),
                         ValueCode(parameter));
  }
  return cases;
}

/// The names of its options and of those that every operation takes, which is
/// all there is before an operation is named.
std::string AllOptionNames(const Operation* operation) {
  std::vector<std::string> names;
  const auto add = [&names](const Parameter& parameter) {
    for (std::string& name : OptionNames(parameter)) names.push_back(std::move(name));
  };
  if (operation != nullptr) {
    for (const Parameter& parameter : operation->parameters) add(parameter);
  }
  for (const Parameter& parameter : GlobalOptions().parameters) {
    const bool fits = !IsReport(parameter) || operation == nullptr || operation->reports_findings;
    if (fits) add(parameter);
  }
  return Join(names, " ");
}

std::string OperationCase(const Operation& operation) {
  std::string code = fmt::format("    '{}')\n", operation.name);
  const std::string cases = OptionValueCases(operation);
  if (!cases.empty()) code += fmt::format("      case $previous in\n{}      esac\n", cases);
  code += fmt::format("      options='{}'\n", AllOptionNames(&operation));
  std::string positional;
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.kind == ParameterKind::kPositional) positional = ValueCode(parameter);
  }
  if (operation.name == "help") {
    std::vector<std::string> words;
    for (const std::string& prefix : OperationPrefixes()) {
      words.push_back(prefix.substr(prefix.rfind(' ') + 1));
    }
    positional = fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$current\"))", Join(words, " "));
  }
  if (!positional.empty()) {
    code += fmt::format("      if [[ $current != -* ]]; then {}; return; fi\n", positional);
  }
  return code + "      ;;\n";
}

}  // namespace

std::string BashCompletions() {
  std::vector<std::string> quoted;
  for (const std::string& prefix : OperationPrefixes()) quoted.push_back("'" + prefix + "'");
  std::string code = fmt::format(R"(# bash completion for sibyl, printed by 'sibyl completions bash'
_sibyl() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  # bash splits --name=value at the equals sign
  if [[ $current == = ]]; then current=; fi
  if [[ $previous == = ]]; then previous=${{COMP_WORDS[COMP_CWORD-2]}}; fi
  local operation= word index options
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=${{COMP_WORDS[index]}}
    case $word in
      {}) ((index++)); continue ;;
      -*|=) continue ;;
    esac
    case "${{operation:+$operation }}$word" in
      {}) operation="${{operation:+$operation }}$word" ;;
      *) break ;;
    esac
  done
  case $previous in
{}  esac
  case $operation in
)",
                                 Join(GlobalOptionsWithValue(), "|"), Join(quoted, "|"),
                                 OptionValueCases(GlobalOptions()));
  for (const engine::Operation* command : Commands()) code += OperationCase(*command);
  const auto words_after = [](std::string_view group) {
    std::vector<std::string> words;
    for (const std::string& prefix : OperationPrefixes()) {
      const bool inside = group.empty() ? prefix.find(' ') == std::string::npos
                                        : prefix.starts_with(fmt::format("{} ", group));
      if (inside) words.push_back(prefix.substr(group.empty() ? 0 : group.size() + 1));
    }
    return Join(words, " ");
  };
  for (const std::string& prefix : OperationPrefixes()) {
    if (CommandsIn(prefix).empty()) continue;
    code += fmt::format("    '{}') options='{}' ;;\n", prefix, words_after(prefix));
  }
  code += fmt::format("    *) options='{} {}' ;;\n", words_after(""), AllOptionNames(nullptr));
  return code + R"(  esac
  COMPREPLY=($(compgen -W "$options" -- "$current"))
}
complete -F _sibyl sibyl
)";
}

}  // namespace sibyl::interface
