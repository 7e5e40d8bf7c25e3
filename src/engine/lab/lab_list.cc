// SPDX-License-Identifier: Apache-2.0
#include "base/strings.h"
#include "engine/arguments.h"
#include "engine/lab/lab_json.h"
#include "engine/lab/lab_operations.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
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
  json["question"] = lines.empty() ? std::string() : std::string(Trim(lines.front()));
  json["description"] = *described;
  return json;
}

Result<Outcome> RunLabList(const oracle::Context& context, const Arguments&) {
  Outcome outcome{
      .data = {{"labs", Json::array()}, {"runs", RunsAsJson(oracle::KeptRuns(context))}}};
  Result<std::vector<lab::Program>> programs = oracle::LabPrograms();
  if (!programs.ok()) {
    outcome.findings.push_back({.severity = Severity::kWarning,
                                .code = "lab/none",
                                .message = programs.error().message,
                                .hint = programs.error().hint});
    return outcome;
  }
  for (const lab::Program& program : *programs) {
    outcome.data["labs"].push_back(ProgramAsJson(program));
  }
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
hardware allows (the floor), and checks its results against float64. Labs are built from `labs/` with CMake and nvcc. They are looked
for in the folder that `SIBYL_LABS` names, otherwise beside the installed program. Listing them
needs no GPU.)",
    .effects = {.reads = true},
    .rules = ListRules,
    .run = RunLabList,
    .render = RenderLabList,
};

}  // namespace sibyl::engine
