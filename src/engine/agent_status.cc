// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <optional>
#include <utility>

#include "engine/agent_operations.h"
#include "engine/agent_run.h"
#include "engine/agent_work.h"
#include "engine/arguments.h"
#include "engine/draft_payload.h"
#include "engine/expansion_report.h"
#include "engine/oracle.h"
#include "engine/outcome.h"
#include "runner/progress.h"
#include "runner/snapshot.h"

namespace sibyl::engine {
namespace {

constexpr std::string_view kJournalPath = ".sibyl/journal.db";

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

std::string NextStep(const PlannedWork& work, const std::vector<runner::JobRow>& rows) {
  if (work.file.is_completed) return "nothing left to do: the plan is done";
  if (CanFinalize(rows)) return "finalize";
  for (const runner::JobRow& row : rows) {
    if (row.state == runner::JobState::kWaiting) return "claim_part";
  }
  if (!rows.empty()) return "wait: others hold the rest";
  return work.choices.running() > 0 ? "claim_part" : "nothing left to do: no part is open";
}

// Reads without writing anything. A part whose holder is lost is shown as it
// will be for the next agent that asks for one: waiting.
Result<std::vector<runner::JobRow>> ReadRows(const Context& context, const PlannedWork& work,
                                             std::vector<Finding>& findings) {
  const std::optional<OwnFolder> own = SIBYL_TRY(FindOwnFolder(context));
  if (!own) return std::vector<runner::JobRow>();
  Result<std::optional<runner::OpenRun>> run = runner::ReadOpenRun(*own, work.file.path);
  if (!run.ok() && run.error().kind == ErrorKind::kNotFound) return std::vector<runner::JobRow>();
  if (!run.ok() && run.error().kind == ErrorKind::kCorrupt) {
    findings.push_back(NotOurs("the journal", kJournalPath));
    return std::vector<runner::JobRow>();
  }
  if (!run.ok()) return std::move(run).error();
  if (!*run) return std::vector<runner::JobRow>();
  std::vector<runner::JobRow> rows = std::move((*run)->jobs);
  std::erase_if(rows, [](const runner::JobRow& row) { return row.is_last; });
  for (runner::JobRow& row : rows) {
    if (IsLost(context, own->root().Shown(runner::kJournalFile), (*run)->id, row))
      row.state = runner::JobState::kWaiting;
  }
  return rows;
}

Result<Outcome> RunPlanStatus(const Context& context, const Arguments& arguments) {
  const PlannedWork work =
      SIBYL_TRY(PlanWork(context, {.plan = std::string(arguments.Text("plan"))}, Intake::kLook));
  std::vector<Finding> findings = work.choices.findings;
  const std::vector<runner::JobRow> rows = SIBYL_TRY(ReadRows(context, work, findings));
  std::map<std::string_view, const runner::JobRow*> jobs;
  for (const runner::JobRow& row : rows) jobs[row.name] = &row;
  Json parts = Json::array();
  for (const ChosenPart& chosen : work.choices.parts) {
    Json part = PlannedAsJson(work, chosen);
    if (part["state"] == "runs") part["state"] = "open";
    const auto job = jobs.find(work.plan.parts[chosen.place].target);
    if (job != jobs.end()) AddJob(*job->second, part);
    parts.push_back(std::move(part));
  }
  return Outcome{.data = {{"plan", work.file.path},
                          {"title", work.plan.title},
                          {"completed", work.file.is_completed},
                          {"parts", std::move(parts)},
                          {"progress", ProgressAsJson(rows)},
                          {"next", NextStep(work, rows)}},
                 .findings = std::move(findings)};
}

std::vector<Rule> PlanStatusRules() {
  return {{.code = "expand/no-target", .meaning = "a part that names no file to create"},
          {.code = "expand/target", .meaning = "a file that must not be written, or is there"},
          {.code = kNotOursCode, .meaning = "a journal that is not ours, and is not used"}};
}

constexpr Parameter kAgentStatusParameters[] = {kPlanParameter};

}  // namespace

constexpr Operation kPlanStatus = {
    .name = "plan status",
    .summary = "show who works on the parts of a plan",
    .description =
        R"(Shows each part of a plan: open, waiting, held and at which step, done with its coverage, failed
with the reason; and what to do next. Parts whose holders are gone, or have given no sign for longer than
their lease, are shown as waiting: the next claim may take them.)",
    .parameters = kAgentStatusParameters,
    .effects = {.reads = true},
    .rules = PlanStatusRules,
    .tool = {.name = "plan_status", .is_read_only = true, .is_idempotent = true},
    .run = RunPlanStatus,
};

}  // namespace sibyl::engine
