// SPDX-License-Identifier: Apache-2.0
#include "interface/cli/completions.h"

#include <fmt/format.h>

#include <algorithm>

#include "interface/cli/commands.h"

namespace sibyl::interface {

std::vector<std::string> OperationPrefixes() {
  std::vector<std::string> prefixes;
  for (const engine::Operation* command : Commands()) {
    const std::string_view name = command->name;
    for (const std::string_view prefix : {name.substr(0, name.find(' ')), name}) {
      if (std::ranges::find(prefixes, prefix) == prefixes.end()) prefixes.emplace_back(prefix);
    }
  }
  return prefixes;
}

std::vector<std::string> GlobalOptionsWithValue() {
  std::vector<std::string> names;
  for (const engine::Parameter& parameter : GlobalOptions().parameters) {
    if (parameter.kind != engine::ParameterKind::kOption) continue;
    for (std::string& name : OptionNames(parameter)) names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> OptionNames(const engine::Parameter& parameter) {
  std::vector<std::string> names;
  if (parameter.kind == engine::ParameterKind::kPositional) return names;
  if (parameter.short_name != '\0') names.push_back(fmt::format("-{}", parameter.short_name));
  names.push_back(fmt::format("--{}", parameter.name));
  return names;
}

}  // namespace sibyl::interface
