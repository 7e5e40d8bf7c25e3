// SPDX-License-Identifier: Apache-2.0
#include "interface/reports/workflow_commands.h"

#include <fmt/format.h>

#include <string_view>

#include "base/percent.h"
#include "base/terminal.h"
#include "interface/reports/fingerprint.h"

namespace sibyl::interface {
namespace {

std::string_view CommandOf(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "notice";
  }
  return "notice";
}

std::string CommandMessage(std::string_view text) {
  return EncodePercent(Harmless(text), [](char c) { return c != '%' && c != '\r' && c != '\n'; });
}

std::string CommandProperty(std::string_view text) {
  return EncodePercent(Harmless(text), [](char c) {
    return c != '%' && c != '\r' && c != '\n' && c != ':' && c != ',';
  });
}

}  // namespace

std::string FindingsAsWorkflowCommands(const std::vector<Finding>& findings) {
  std::string commands;
  for (const Finding& finding : findings) {
    const Place& place = finding.place;
    std::string properties = fmt::format("title={}", CommandProperty(finding.code));
    if (!place.file.empty()) {
      properties = fmt::format("file={},line={},{}", CommandProperty(place.file),
                               place.line > 0 ? place.line : 1, properties);
      const std::size_t column = place.line > 0 ? CharacterColumn(finding) : 0;
      if (column > 0) properties += fmt::format(",col={}", column);
    }
    commands += fmt::format("::{} {}::{}\n", CommandOf(finding.severity), properties,
                            CommandMessage(MessageWithHint(finding)));
  }
  return commands;
}

}  // namespace sibyl::interface
