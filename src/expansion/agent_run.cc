// SPDX-License-Identifier: Apache-2.0
#include "expansion/agent_run.h"

#include <algorithm>
#include <utility>

#include "expansion/agent_work.h"
#include "expansion/ledger/open_ledger.h"
#include "oracle/oracle.h"

namespace sibyl::expansion {

using runner::JobRow;
using runner::JobState;

Result<std::unique_ptr<AgentRun>> AgentRun::Open(const oracle::Context& context,
                                                 std::string_view plan, Joining joining) {
  OwnFolder own = SIBYL_TRY(oracle::OpenOwnFolder(context));
  std::unique_ptr<runner::Ledger> ledger = SIBYL_TRY(OpenLedger(context, own));
  std::unique_ptr<AgentRun> run(new AgentRun(std::move(own), std::move(ledger)));
  if (joining == Joining::kPublish) SIBYL_TRY(run->FinishEarlier(context));
  const Intake intake = joining == Joining::kBegin ? Intake::kCopy : Intake::kLook;
  run->work_ = SIBYL_TRY(PlanWork(context, {.plan = std::string(plan)}, intake));
  SIBYL_TRY(run->Join(context, joining));
  if (run->queue_) SIBYL_TRY(FreeLostParts(context, *run->ledger_, *run->queue_));
  return run;
}

Result<library::Pending> FinishEarlierPublication(const library::PublishOptions& publishing,
                                                  runner::Ledger& ledger) {
  library::Pending found = SIBYL_TRY(library::FinishPending(publishing));
  if (!found.published) return found;
  SIBYL_TRY(ledger.FinishRun(found.published->plan, library::FormatPublished(*found.published)));
  SIBYL_TRY(library::Forget(publishing));
  return found;
}

Status AgentRun::FinishEarlier(const oracle::Context& context) {
  library::Pending found =
      SIBYL_TRY(FinishEarlierPublication({.own = own_, .clock = context.clock}, *ledger_));
  findings_ = std::move(found.findings);
  return {};
}

// The open run is found by name, so that claiming a part does not require
// opening its inputs.
Status AgentRun::Join(const oracle::Context& context, Joining joining) {
  queue_ = SIBYL_TRY(runner::JobQueue::FindOpen(*ledger_, work_.file.path));
  const std::vector<JobRow> rows = SIBYL_TRY(Rows());
  if (joining != Joining::kBegin || (queue_ && HasOurJobs(rows))) return {};
  // Files that are being published make the plan look changed.
  if (queue_ && SIBYL_TRY(IsPublishing())) return {};
  if (work_.file.is_completed || work_.choices.running() == 0) {
    queue_.reset();
    return {};
  }
  const std::unique_ptr<ExpansionInputs> inputs = SIBYL_TRY(ExpansionInputs::Open(context, work_));
  queue_ = SIBYL_TRY(runner::JobQueue::Begin(
      *ledger_, NameJobs(work_, PartsOfRun(work_, rows), *inputs), runner::Existing::kJoin));
  // Another process published the plan after we read it.
  if (queue_->standing() == runner::Standing::kFinished) queue_.reset();
  return {};
}

Result<bool> AgentRun::IsPublishing() {
  const std::vector<JobRow> rows = SIBYL_TRY(queue_->Jobs());
  return !rows.empty() && rows.back().is_last && rows.back().state == JobState::kRunning;
}

bool AgentRun::HasOurJobs(const std::vector<JobRow>& rows) const {
  const bool any_cancelled = std::any_of(rows.begin(), rows.end(), [](const JobRow& row) {
    return row.state == JobState::kCancelled;
  });
  return !any_cancelled && AreJobsOf(work_, PartsOfRun(work_, rows), rows);
}

std::vector<Finding> AgentRun::Findings() const {
  std::vector<Finding> findings = findings_;
  findings.insert(findings.end(), work_.choices.findings.begin(), work_.choices.findings.end());
  if (ledger_->moved_aside()) {
    findings.push_back(MovedAside("the journal", *ledger_->moved_aside()));
  }
  return findings;
}

const plan::Part* AgentRun::PartOf(std::string_view target) const {
  for (const plan::Part& part : work_.plan.parts) {
    if (part.target == target) return &part;
  }
  return nullptr;
}

bool AgentRun::IsToPublish(std::string_view target) const {
  return std::any_of(
      work_.choices.parts.begin(), work_.choices.parts.end(), [&](const ChosenPart& chosen) {
        return chosen.state == PartState::kRuns && work_.plan.parts[chosen.place].target == target;
      });
}

Result<std::vector<JobRow>> AgentRun::Rows() {
  std::vector<JobRow> rows;
  if (queue_) rows = SIBYL_TRY(queue_->Jobs());
  std::erase_if(rows, [](const JobRow& row) { return row.is_last; });
  return rows;
}

bool CanFinalize(const std::vector<JobRow>& rows) {
  return !rows.empty() && std::none_of(rows.begin(), rows.end(), [](const JobRow& row) {
    return row.state == JobState::kWaiting || row.state == JobState::kRunning;
  });
}

}  // namespace sibyl::expansion
