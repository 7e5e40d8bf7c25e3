// SPDX-License-Identifier: Apache-2.0
#include "runner/run_progress.h"

#include <algorithm>
#include <utility>

namespace sibyl::runner {

bool HasOutcome(const JobRow& row) {
  return row.state != JobState::kWaiting && row.state != JobState::kRunning;
}

RunProgress::RunProgress(std::vector<JobRow> jobs) : rows(std::move(jobs)) {
  for (const JobRow& row : rows) was_known.push_back(row.state == JobState::kDone);
  elapsed.resize(rows.size());
}

Totals RunProgress::Count() const {
  Totals totals;
  for (const JobRow& row : rows) {
    if (row.is_last) continue;
    totals.waiting += row.state == JobState::kWaiting ? 1 : 0;
    totals.running += row.state == JobState::kRunning ? 1 : 0;
    totals.done += row.state == JobState::kDone ? 1 : 0;
    totals.failed += row.state == JobState::kFailed ? 1 : 0;
    totals.cancelled += row.state == JobState::kCancelled ? 1 : 0;
  }
  return totals;
}

bool RunProgress::MayHaveFreeJobs() const {
  bool others_have_outcomes = true;
  for (const JobRow& row : rows) {
    if (row.state == JobState::kWaiting && (!row.is_last || others_have_outcomes)) return true;
    others_have_outcomes = others_have_outcomes && HasOutcome(row);
  }
  return false;
}

bool RunProgress::IsRunByOtherProcess() const {
  return std::any_of(rows.begin(), rows.end(),
                     [](const JobRow& row) { return row.state == JobState::kRunning; });
}

bool RunProgress::IsOver() const {
  // By other means than RunJobs, the last job may be done before the others.
  if (has_last() && rows.back().state == JobState::kDone) return true;
  return std::all_of(rows.begin(), rows.end(), HasOutcome);
}

JobOutcome RunProgress::OutcomeOf(const JobRow& row) const {
  JobOutcome outcome{.name = row.name,
                     .state = row.state,
                     .payload = row.payload,
                     .reason = row.reason,
                     .attempts = row.attempts,
                     .was_known = was_known[row.place],
                     .elapsed = elapsed[row.place]};
  // Jobs that will not run because we are stopping.
  if (row.state == JobState::kWaiting && leaving != StopReason::kNone) {
    outcome.state = JobState::kCancelled;
    if (outcome.reason.empty()) {
      outcome.reason =
          leaving == StopReason::kInterrupted ? "interrupted" : "the run's time limit was reached";
    }
  }
  return outcome;
}

std::vector<JobOutcome> RunProgress::Outcomes() const {
  std::vector<JobOutcome> outcomes;
  for (const JobRow& row : rows) {
    if (!row.is_last) outcomes.push_back(OutcomeOf(row));
  }
  return outcomes;
}

RunReport RunProgress::Report() const {
  RunReport report{.jobs = Outcomes()};
  if (has_last()) report.last = OutcomeOf(rows.back());
  const bool is_cut = std::any_of(report.jobs.begin(), report.jobs.end(), [](const auto& job) {
    return job.state != JobState::kDone && job.state != JobState::kFailed;
  });
  const bool last_is_done = !report.last || report.last->state == JobState::kDone;
  if (leaving == StopReason::kInterrupted && (is_cut || !last_is_done)) {
    report.ending = Ending::kInterrupted;
  } else if (report.last && report.last->state == JobState::kFailed) {
    report.ending = Ending::kLastFailed;
  } else if (is_cut) {
    report.ending = Ending::kTimeSpent;
  }
  return report;
}

}  // namespace sibyl::runner
