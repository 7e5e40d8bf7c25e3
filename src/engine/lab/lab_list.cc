// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <utility>

#include "base/strings.h"
#include "engine/arguments.h"
#include "engine/lab/lab_json.h"
#include "engine/lab/lab_operations.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "oracle/lab_programs.h"
#include "oracle/lab_runs.h"

namespace sibyl::engine {
namespace {

Json ProgramAsJson(const lab::Program& program) {
  Json json = {{"lab", program.name}, {"program", program.path.lexically_normal().string()}};
  const Result<std::string> described = lab::AskForDescription(program);
  if (!described.ok()) {
    json["error"] = described.error().message;
    return json;
  }
  const std::vector<std::string_view> lines = SplitLines(*described);
  std::string_view question = lines.empty() ? std::string_view() : Trim(lines.front());
  const std::string own_name = program.name + ": ";  // "copy: How fast is a copy?"
  if (question.starts_with(own_name)) question.remove_prefix(own_name.size());
  json["question"] = question;
  json["description"] = *described;
  return json;
}

Result<Outcome> RunLabList(const oracle::Context& context, const Arguments&) {
  Outcome outcome{
      .data = {{"labs", Json::array()}, {"runs", RunsAsJson(oracle::KeptRuns(context))}}};
  const Result<oracle::Labs> labs = oracle::FindLabs();
  if (!labs.ok()) {
    outcome.findings.push_back({.severity = Severity::kWarning,
                                .code = "lab/none",
                                .message = labs.error().message,
                                .hint = labs.error().hint});
    return outcome;
  }
  // Sorted: a built program is listed in the place of its sources.
  std::map<std::string, Json> rows;
  for (const lab::Program& program : labs->programs) rows[program.name] = ProgramAsJson(program);
  if (labs->sources) {
    for (const lab::SourceLab& source : labs->sources->labs) {
      rows.try_emplace(
          source.name,
          Json{{"lab", source.name}, {"program", nullptr}, {"question", source.question}});
    }
  }
  for (auto& [name, row] : rows) outcome.data["labs"].push_back(std::move(row));
  return outcome;
}

std::vector<Rule> ListRules() {
  return {{.code = "lab/none", .meaning = "no labs are installed on this machine"}};
}

}  // namespace

constexpr Operation kLabList = {
    .name = "lab list",
    .summary = "show the labs and the kept runs",
    .description =
        R"(A lab is a program that measures one thing on this machine's GPU, compares it with the best that the
hardware allows (the floor), and checks its results against float64. The sources of the labs are
installed with sibyl, and `sibyl lab run` builds the one that it runs. With `SIBYL_LABS`, the
programs `lab_*` of that folder are used instead. Listing needs neither a GPU nor nvcc.)",
    .effects = {.reads = true},
    .rules = ListRules,
    .run = RunLabList,
    .render = RenderLabList,
};

}  // namespace sibyl::engine
