// SPDX-License-Identifier: Apache-2.0
#include "expansion/agent_run.h"

#include <algorithm>
#include <utility>

#include "expansion/agent_work.h"
#include "oracle/oracle.h"

namespace sibyl::expansion {

using runner::JobRow;
using runner::JobState;

Result<std::unique_ptr<AgentRun>> AgentRun::Open(const oracle::Context& context,
                                                 std::string_view plan, Joining joining) {
  OwnFolder own = SIBYL_TRY(oracle::OpenOwnFolder(context));
  runner::Journal journal = SIBYL_TRY(runner::Journal::Open(own, context.clock));
  std::unique_ptr<AgentRun> run(new AgentRun(std::move(own), std::move(journal)));
  const Intake intake = joining == Joining::kBegin ? Intake::kCopy : Intake::kLook;
  run->work_ = SIBYL_TRY(PlanWork(context, {.plan = std::string(plan)}, intake));
  SIBYL_TRY(run->Join(context, joining));
  if (run->queue_) SIBYL_TRY(FreeLostParts(context, run->journal_, *run->queue_));
  return run;
}

// The open run is found by name, so that claiming a part does not require
// opening its inputs.
Status AgentRun::Join(const oracle::Context& context, Joining joining) {
  queue_ = SIBYL_TRY(runner::JobQueue::FindOpen(journal_, work_.file.path));
  const std::vector<JobRow> rows = SIBYL_TRY(Rows());
  if (queue_ && (joining == Joining::kLook || HasOurJobs(rows))) return {};
  if (joining == Joining::kLook) return {};
  if (work_.file.is_completed || work_.choices.running() == 0) {
    queue_.reset();
    return {};
  }
  const std::unique_ptr<ExpansionInputs> inputs = SIBYL_TRY(ExpansionInputs::Open(context, work_));
  queue_ = SIBYL_TRY(
      runner::JobQueue::Begin(journal_, NameJobs(work_, *inputs), runner::Existing::kJoin));
  return {};
}

bool AgentRun::HasOurJobs(const std::vector<JobRow>& rows) const {
  std::size_t at = 0;
  for (const ChosenPart& chosen : work_.choices.parts) {
    if (chosen.state != PartState::kRuns) continue;
    const bool is_it = at < rows.size() && rows[at].state != JobState::kCancelled &&
                       rows[at].name == work_.plan.parts[chosen.place].target;
    if (!is_it) return false;
    ++at;
  }
  return at == rows.size();
}

std::vector<Finding> AgentRun::Findings() const {
  std::vector<Finding> findings = work_.choices.findings;
  if (journal_.moved_aside()) {
    findings.push_back(MovedAside("the journal", *journal_.moved_aside()));
  }
  return findings;
}

const plan::Part* AgentRun::PartOf(std::string_view target) const {
  for (const plan::Part& part : work_.plan.parts) {
    if (part.target == target) return &part;
  }
  return nullptr;
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
