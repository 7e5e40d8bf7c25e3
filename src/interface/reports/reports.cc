// SPDX-License-Identifier: Apache-2.0
#include "interface/reports/reports.h"

#include "base/json.h"
#include "interface/reports/gitlab.h"
#include "interface/reports/junit.h"
#include "interface/reports/sarif.h"
#include "interface/reports/workflow_commands.h"

namespace sibyl::interface {
namespace {

std::string WriteSarif(const engine::Operation& operation, const engine::Outcome& outcome) {
  const Json fixes = outcome.data.value("fixes", Json::array());
  return FormatJson(FindingsAsSarif(outcome.findings, operation.rules(), fixes)) + '\n';
}

std::string WriteJUnit(const engine::Operation& operation, const engine::Outcome& outcome) {
  return OutcomeAsJUnit(operation.name, outcome);
}

std::string WriteGitLab(const engine::Operation&, const engine::Outcome& outcome) {
  return FormatJson(FindingsAsGitLab(outcome.findings)) + '\n';
}

std::string WriteWorkflowCommands(const engine::Operation&, const engine::Outcome& outcome) {
  return FindingsAsWorkflowCommands(outcome.findings);
}

constexpr ReportFormat kFormats[] = {
    {.name = "sarif", .title = "SARIF", .is_json = true, .write = WriteSarif},
    {.name = "junit", .title = "JUnit", .write = WriteJUnit},
    {.name = "gitlab", .title = "GitLab", .is_json = true, .write = WriteGitLab},
    {.name = "github", .title = "GitHub", .write = WriteWorkflowCommands},
};

}  // namespace

std::span<const ReportFormat> ReportFormats() { return kFormats; }

const ReportFormat* FindReportFormat(std::string_view name) {
  for (const ReportFormat& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

}  // namespace sibyl::interface
