// SPDX-License-Identifier: Apache-2.0
#include "expansion/publish_ready.h"

#include <fmt/format.h>

#include <utility>

#include "expansion/draft_payload.h"
#include "expansion/publishable.h"

namespace sibyl::expansion {
namespace {

using runner::JobRow;
using runner::JobState;

// Nothing: the run has no such job.
const JobRow* FindRow(const std::vector<JobRow>& rows, std::string_view target) {
  for (const JobRow& row : rows) {
    if (row.name == target) return &row;
  }
  return nullptr;
}

// What the parts that are left are waiting for.
runner::JobOutcome OutcomeOf(const std::string& target, const JobRow* row) {
  runner::JobOutcome outcome{.name = target, .state = JobState::kWaiting, .reason = "it waits"};
  if (row == nullptr) return outcome;
  outcome.state = row->state;
  outcome.attempts = row->attempts;
  outcome.was_known = true;
  if (row->state == JobState::kRunning) outcome.reason = "it is held";
  if (row->state == JobState::kFailed) {
    outcome.state = JobState::kWaiting;
    outcome.reason = "it failed: " + row->reason;
  }
  return outcome;
}

}  // namespace

Result<std::vector<JobRow>> ReadyParts(AgentRun& run) {
  std::vector<JobRow> rows = SIBYL_TRY(run.Rows());
  std::erase_if(rows, [&run](const JobRow& row) {
    return row.state != JobState::kDone || !run.IsToPublish(row.name);
  });
  return rows;
}

Result<bool> AnyWaitsForPages(AgentRun& run) {
  std::vector<SubmittedPage> pages;
  for (const JobRow& row : SIBYL_TRY(ReadyParts(run))) {
    draft::Draft draft = SIBYL_TRY(ParseDraft(row.payload));
    pages.push_back({.draft = std::move(draft)});
  }
  return AnyHasToWait(pages, run.own().oracle());
}

Result<ExpansionResult> PublishReady(const oracle::Context& context, AgentRun& run,
                                     const ReadyOptions& options) {
  const PlannedWork& work = run.work();
  const std::unique_ptr<ExpansionInputs> inputs = SIBYL_TRY(ExpansionInputs::Open(context, work));
  const std::vector<JobRow> rows = SIBYL_TRY(run.Rows());
  const std::vector<JobRow> ready = SIBYL_TRY(ReadyParts(run));
  library::Publication publication{.plan = work.file.path,
                                   .plan_text = work.file.text,
                                   .is_partial = true,
                                   .message = options.message};
  ExpansionResult result{.work = work, .findings = inputs->findings()};
  std::vector<SubmittedPage> pages;
  for (const ChosenPart& chosen : work.choices.parts) {
    if (chosen.state != PartState::kRuns) continue;
    const plan::Part& part = work.plan.parts[chosen.place];
    result.jobs.push_back(OutcomeOf(part.target, FindRow(rows, part.target)));
    const JobRow* row = FindRow(ready, part.target);
    if (row == nullptr) continue;
    draft::Draft draft = SIBYL_TRY(ParseDraft(row->payload));
    pages.push_back({.part = chosen.place, .draft = std::move(draft), .existing = chosen.existing});
  }
  Publishable publishable =
      SIBYL_TRY(ChoosePublishable(pages, {.citations = inputs->parts().citations,
                                          .oracle = run.own().oracle(),
                                          .plan = work.plan,
                                          .plan_name = work.file.name}));
  publication.delivered = std::move(publishable.delivered);
  result.findings.insert(result.findings.end(), publishable.findings.begin(),
                         publishable.findings.end());
  if (publication.delivered.empty()) return result;
  result.published = SIBYL_TRY(library::Publish(
      publication, {.own = run.own(), .clock = context.clock, .disk = options.disk}));
  return result;
}

}  // namespace sibyl::expansion
