// SPDX-License-Identifier: Apache-2.0
// The state of a run as one of its processes sees it: counts, outcomes, the
// report.
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "runner/job_queue.h"
#include "runner/runner.h"
#include "runner/workers.h"

namespace sibyl::runner {

/// Done, failed or cancelled.
bool HasOutcome(const JobRow& row);

struct RunProgress {
  explicit RunProgress(std::vector<JobRow> jobs);

  std::vector<JobRow> rows;  ///< As last seen; those of our own jobs are always up to date.
  std::vector<bool> was_known;
  std::vector<std::chrono::milliseconds> elapsed;
  StopReason leaving = StopReason::kNone;

  Totals Count() const;
  /// Whether asking for a job is worth a transaction.
  bool MayHaveFreeJobs() const;
  bool IsRunByOtherProcess() const;
  bool IsOver() const;

  /// The outcomes of all jobs but the last.
  std::vector<JobOutcome> Outcomes() const;
  RunReport Report() const;

 private:
  JobOutcome OutcomeOf(const JobRow& row) const;
  bool has_last() const { return !rows.empty() && rows.back().is_last; }
};

}  // namespace sibyl::runner
