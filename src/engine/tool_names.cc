// SPDX-License-Identifier: Apache-2.0
#include "engine/tool_names.h"

#include <fmt/format.h>

#include <cstddef>

#include "base/ascii.h"

namespace sibyl::engine {

const Operation* FindToolOperation(std::string_view tool) {
  for (const Operation* operation : Operations()) {
    if (!tool.empty() && operation->tool.name == tool) return operation;
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

}  // namespace sibyl::engine
