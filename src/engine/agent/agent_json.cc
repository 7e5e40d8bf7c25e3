// SPDX-License-Identifier: Apache-2.0
#include "engine/agent/agent_json.h"

#include <fmt/format.h>

#include <string>

#include "expansion/agent_run.h"
#include "expansion/writer.h"
#include "gate/rules.h"
#include "statement/verdict.h"

namespace sibyl::engine {

Json ProgressAsJson(const std::vector<runner::JobRow>& rows) {
  Json json = {{"waiting", 0}, {"running", 0}, {"done", 0}, {"failed", 0}, {"cancelled", 0}};
  for (const runner::JobRow& row : rows) {
    Json& count = json[std::string(runner::JobStateName(row.state))];
    count = count.get<int>() + 1;
  }
  json["can_finalize"] = expansion::CanFinalize(rows);
  return json;
}

void AddRefused(const std::vector<Finding>& findings, runner::Progress& progress) {
  if (findings.empty()) return;
  progress.figures.push_back({.name = "refused", .value = runner::FigureValue(findings.size())});
  for (const Finding& finding : findings) {
    if (progress.findings.size() == expansion::kMostFindings) break;
    const std::string line =
        finding.place.line > 0 ? fmt::format("line {}: ", finding.place.line) : std::string();
    progress.findings.push_back(
        fmt::format("{}{} [{}]", line, statement::Excerpt(finding.message), finding.code));
  }
}

std::vector<Rule> DraftRules() {
  std::vector<Rule> rules = gate::PageRules();
  rules.push_back(
      {.code = "draft/heading", .meaning = "a heading that is not allowed in a section"});
  rules.push_back({.code = "draft/citation", .meaning = "a definition that is not a citation"});
  rules.push_back({.code = "draft/comment", .meaning = "an HTML comment in a section"});
  rules.push_back(
      {.code = "draft/not-found", .meaning = "a line below '### Not found' that is not an item"});
  rules.push_back({.code = "draft/missing", .meaning = "a section that was not drafted"});
  rules.push_back({.code = "draft/empty", .meaning = "a page that covers no point"});
  return rules;
}

}  // namespace sibyl::engine
