// SPDX-License-Identifier: Apache-2.0
// A plan that several agents work on: its run in the journal, joined or
// started, and its progress.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files/own_folder.h"
#include "base/finding.h"
#include "base/result.h"
#include "expansion/expansion_inputs.h"
#include "library/library.h"
#include "oracle/context.h"
#include "runner/job_queue.h"
#include "runner/ledger.h"

namespace sibyl::expansion {

enum class Joining : std::uint8_t {
  kBegin,  ///< A missing run is started.
  kLook,   ///< Nothing is started.
  /// Nothing is started; a publication that was interrupted is finished first.
  kPublish,
};

/// Not moved: the queue borrows the ledger.
class AgentRun {
 public:
  static Result<std::unique_ptr<AgentRun>> Open(const oracle::Context& context,
                                                std::string_view plan, Joining joining);

  const PlannedWork& work() const { return work_; }
  /// nullopt if no run of the plan is open.
  std::optional<runner::JobQueue>& queue() { return queue_; }
  runner::Ledger& ledger() { return *ledger_; }
  const OwnFolder& own() const { return own_; }
  /// Findings about the choice of parts, and about a journal that was moved aside.
  std::vector<Finding> Findings() const;

  /// The part that writes a file.
  const plan::Part* PartOf(std::string_view target) const;
  /// Whether the part that writes a file has yet to be published.
  bool IsToPublish(std::string_view target) const;

  /// Reads the current jobs, without the last; empty without a run.
  Result<std::vector<runner::JobRow>> Rows();

 private:
  AgentRun(OwnFolder own, std::unique_ptr<runner::Ledger> ledger)
      : own_(std::move(own)), ledger_(std::move(ledger)) {}
  Result<bool> IsPublishing();
  bool HasOurJobs(const std::vector<runner::JobRow>& rows) const;
  Status FinishEarlier(const oracle::Context& context);
  Status Join(const oracle::Context& context, Joining joining);

  OwnFolder own_;
  std::unique_ptr<runner::Ledger> ledger_;
  PlannedWork work_;
  std::optional<runner::JobQueue> queue_;
  std::vector<Finding> findings_;  // about publications
};

/// Finishes what an earlier process began to publish, and ends its run in the ledger.
Result<library::Pending> FinishEarlierPublication(const library::PublishOptions& publishing,
                                                  runner::Ledger& ledger);

/// Every job has an outcome, and at least one is there.
bool CanFinalize(const std::vector<runner::JobRow>& rows);

}  // namespace sibyl::expansion
