// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <optional>
#include <utility>

#include "engine/agent/agent_json.h"
#include "engine/agent/agent_operations.h"
#include "engine/arguments.h"
#include "engine/expansion_report.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "expansion/agent_run.h"
#include "expansion/agent_work.h"
#include "expansion/draft_payload.h"
#include "expansion/ledger/open_ledger.h"
#include "expansion/revision.h"
#include "library/library.h"
#include "oracle/oracle.h"
#include "runner/journal.h"
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
  part["drafted"] = expansion::ParseSections(row.payload).size();
  const Result<draft::Draft> draft = expansion::ParseDraft(row.payload);
  if (row.state != runner::JobState::kDone || !draft.ok()) return;
  part["writer"] = draft::WriterOf(*draft);
  part["points"] = draft::PointCount(*draft);
  part["covered"] = draft::CoveredCount(*draft);
}

// Parts without a job: done or failed in an earlier run, or not yet begun.
void CountState(const std::string& state, Json& progress) {
  if (progress.contains(state)) progress[state] = progress[state].get<int>() + 1;
}

// A publication that was interrupted; whoever finalizes finishes it.
Result<bool> IsHalfPublished(const oracle::Context& context, std::string_view plan) {
  const std::optional<OwnFolder> own = SIBYL_TRY(oracle::FindOwnFolder(context));
  return own && library::IsPending(*own, plan);
}

std::string NextStep(const expansion::PlannedWork& work, const std::vector<runner::JobRow>& rows) {
  if (work.file.is_completed) return "nothing left to do: the plan is done";
  if (expansion::CanFinalize(rows)) return "finalize";
  for (const runner::JobRow& row : rows) {
    if (row.state == runner::JobState::kWaiting) return "claim_part";
  }
  if (!rows.empty()) return "wait: other agents hold the remaining parts";
  return work.choices.running() > 0 ? "claim_part" : "nothing left to do: no part is open";
}

// Reads without writing anything. A part whose holder is lost is shown as it
// will be for the next agent that asks for one: waiting.
Result<std::vector<runner::JobRow>> ReadRows(const oracle::Context& context,
                                             const expansion::PlannedWork& work,
                                             std::vector<Finding>& findings) {
  Result<std::optional<runner::OpenRun>> run = expansion::ReadOpenRun(context, work.file.path);
  if (!run.ok() && run.error().kind == ErrorKind::kNotFound) return std::vector<runner::JobRow>();
  if (!run.ok() && run.error().kind == ErrorKind::kCorrupt) {
    findings.push_back(NotOurs("the journal", kJournalPath));
    return std::vector<runner::JobRow>();
  }
  if (!run.ok()) return std::move(run).error();
  if (!*run) return std::vector<runner::JobRow>();
  std::vector<runner::JobRow> rows = std::move((*run)->jobs);
  std::erase_if(rows, [](const runner::JobRow& row) { return row.is_last; });
  const std::optional<OwnFolder> own = SIBYL_TRY(oracle::FindOwnFolder(context));
  const std::string ledger = own ? own->root().Shown(runner::kJournalFile).string() : "";
  for (runner::JobRow& row : rows) {
    if (expansion::IsLost(context, ledger, (*run)->id, row)) row.state = runner::JobState::kWaiting;
  }
  return rows;
}

Result<Outcome> RunPlanStatus(const oracle::Context& context, const Arguments& arguments) {
  const expansion::PlannedWork work = SIBYL_TRY(expansion::PlanWork(
      context, {.plan = std::string(arguments.Text("plan"))}, expansion::Intake::kLook));
  std::vector<Finding> findings = work.choices.findings;
  const std::vector<runner::JobRow> rows = SIBYL_TRY(ReadRows(context, work, findings));
  std::map<std::string_view, const runner::JobRow*> jobs;
  for (const runner::JobRow& row : rows) jobs[row.name] = &row;
  Json progress = ProgressAsJson(rows);
  for (const char* name : {"open", "published", "disabled", "tbd", "refused"}) progress[name] = 0;
  Json parts = Json::array();
  std::map<std::string, std::string_view, std::less<>> revisions;
  for (const expansion::RevisionState& each :
       SIBYL_TRY(expansion::OpenRevisions(context, work.plan))) {
    revisions[each.page] = runner::JobStateName(each.row.state);
  }
  for (const expansion::ChosenPart& chosen : work.choices.parts) {
    Json part = PlannedAsJson(work, chosen);
    if (chosen.state == expansion::PartState::kRuns) {
      const bool has_failed = work.plan.parts[chosen.place].status == plan::PartStatus::kFailed;
      part["state"] = has_failed ? "failed" : "open";
    }
    const auto job = jobs.find(work.plan.parts[chosen.place].target);
    const bool is_published = chosen.state == expansion::PartState::kDone;
    if (job != jobs.end()) AddJob(*job->second, part);
    if (job == jobs.end()) CountState(part["state"], progress);
    if (is_published) CountState("published", progress);
    part["published"] = is_published;
    if (const auto revision = revisions.find(work.plan.parts[chosen.place].target);
        revision != revisions.end()) {
      part["revision"] = revision->second;
    }
    parts.push_back(std::move(part));
  }
  const bool is_half_published = SIBYL_TRY(IsHalfPublished(context, work.file.path));
  return Outcome{.data = {{"plan", work.file.path},
                          {"title", work.plan.title},
                          {"completed", work.file.is_completed && !is_half_published},
                          {"parts", std::move(parts)},
                          {"progress", std::move(progress)},
                          {"next", is_half_published ? "finalize" : NextStep(work, rows)}},
                 .findings = std::move(findings)};
}

std::vector<Rule> PlanStatusRules() {
  return {{.code = "expand/no-target", .meaning = "a part that names no file to create"},
          {.code = "expand/target", .meaning = "a target that is not allowed, or already exists"},
          {.code = kNotOursCode, .meaning = "a journal was made elsewhere and is not used"}};
}

constexpr Parameter kAgentStatusParameters[] = {kPlanParameter};

}  // namespace

constexpr Operation kPlanStatus = {
    .name = "plan status",
    .summary = "show the state of each part and who holds it",
    .description =
        R"(Shows each part of a plan: open, waiting, held and at which step, done with its coverage, failed
with the reason; and what to do next. A part whose holder has exited, or has made no call for longer
than its lease, is shown as waiting: the next claim may take it. `revision` is the state of a
published page that is being revised.)",
    .parameters = kAgentStatusParameters,
    .effects = {.reads = true},
    .rules = PlanStatusRules,
    .tool = {.name = "plan_status", .is_read_only = true, .is_idempotent = true},
    .run = RunPlanStatus,
    .render = RenderPlanStatus,
};

}  // namespace sibyl::engine
