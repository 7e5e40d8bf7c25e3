// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "engine/text/render.h"
#include "engine/text/render_source.h"

namespace sibyl::engine {
namespace {

std::string ValueText(const Json& value) {
  return value.is_string() ? Harmless(value.get<std::string>())
                           : Harmless(FormatJson(value, JsonLayout::kCompact));
}

}  // namespace

Rendered RenderDump(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered{.talk = RenderTalk(outcome, options)};
  for (const auto& [name, value] : outcome.data.items()) {
    if (!value.is_array()) {
      rendered.results += fmt::format("{:<16}{}\n", name, ValueText(value));
      continue;
    }
    rendered.results += name + '\n';
    for (const Json& entry : value) {
      rendered.results += " ";
      if (!entry.is_object()) rendered.results += ' ' + ValueText(entry);
      for (const auto& [member, content] : entry.items()) {
        if (entry.is_object())
          rendered.results += fmt::format(" {}={}", member, ValueText(content));
      }
      rendered.results += '\n';
    }
  }
  return rendered;
}

}  // namespace sibyl::engine
