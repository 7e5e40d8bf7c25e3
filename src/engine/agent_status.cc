// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "engine/agent_operations.h"
#include "engine/agent_run.h"
#include "engine/agent_work.h"
#include "engine/arguments.h"
#include "engine/draft_payload.h"
#include "engine/expansion_report.h"
#include "engine/outcome.h"
#include "runner/progress.h"

namespace sibyl::engine {
namespace {

void AddJob(const runner::JobRow& row, Json& part) {
  part["state"] = runner::JobStateName(row.state);
  part["attempts"] = row.attempts;
  part["reason"] = row.reason;
  if (row.state == runner::JobState::kRunning) {
    part["step"] = runner::ParseProgress(row.progress).step;
  }
  part["drafted"] = ParseSections(row.payload).size();
  const Result<draft::Draft> draft = ParseDraft(row.payload);
  if (row.state != runner::JobState::kDone || !draft.ok()) return;
  part["writer"] = draft::WriterOf(*draft);
  part["points"] = draft::PointCount(*draft);
  part["covered"] = draft::CoveredCount(*draft);
}

std::string NextStep(const AgentRun& run, const std::vector<runner::JobRow>& rows) {
  if (run.work().file.is_completed) return "nothing: the plan is done";
  if (CanFinalize(rows)) return "finalize";
  for (const runner::JobRow& row : rows) {
    if (row.state == runner::JobState::kWaiting) return "claim_part";
  }
  if (!rows.empty()) return "wait: others hold the rest";
  return run.work().choices.running() > 0 ? "claim_part" : "nothing: no part is open";
}

Result<Outcome> RunPlanStatus(const Context& context, const Arguments& arguments) {
  const std::unique_ptr<AgentRun> run =
      SIBYL_TRY(AgentRun::Open(context, arguments.Text("plan"), Joining::kLook));
  const std::vector<runner::JobRow> rows = SIBYL_TRY(run->Rows());
  std::map<std::string_view, const runner::JobRow*> jobs;
  for (const runner::JobRow& row : rows) jobs[row.name] = &row;
  Json parts = Json::array();
  for (const ChosenPart& chosen : run->work().choices.parts) {
    Json part = PlannedAsJson(run->work(), chosen);
    if (part["state"] == "runs") part["state"] = "open";
    const auto job = jobs.find(run->work().plan.parts[chosen.place].target);
    if (job != jobs.end()) AddJob(*job->second, part);
    parts.push_back(std::move(part));
  }
  return Outcome{.data = {{"plan", run->work().file.path},
                          {"title", run->work().plan.title},
                          {"completed", run->work().file.is_completed},
                          {"parts", std::move(parts)},
                          {"progress", ProgressAsJson(rows)},
                          {"next", NextStep(*run, rows)}},
                 .findings = run->work().choices.findings};
}

constexpr Parameter kParameters[] = {kPlanParameter};

}  // namespace

constexpr Operation kPlanStatus = {
    .name = "plan status",
    .summary = "show who works on the parts of a plan",
    .description =
        R"(Shows each part of a plan: open, waiting, held and at which step, done with its coverage, failed
with the reason; and what to do next. Parts whose holders are gone, or have given no sign for longer than
their lease, are free again when this is asked.)",
    .parameters = kParameters,
    .effects = {.reads = true, .writes = true},
    .tool = {.name = "plan_status", .is_read_only = true, .is_idempotent = true},
    .run = RunPlanStatus,
};

}  // namespace sibyl::engine
