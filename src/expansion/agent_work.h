// SPDX-License-Identifier: Apache-2.0
// A part of a plan that an agent holds: its lease, its drafts, and the gate's
// verdict. Each agent operation is one step on this.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "draft/agent/agent_page.h"
#include "expansion/agent_lease.h"
#include "gate/cited/cited_support.h"
#include "oracle/context.h"
#include "plan/plan.h"
#include "runner/job_queue.h"
#include "runner/ledger.h"

namespace sibyl::expansion {

/// How long a part is an agent's without a call from it.
inline constexpr std::chrono::seconds kAgentLease{1'800};
/// A lost agent says nothing about its part, so a part never fails because of
/// that.
inline constexpr int kMostAgentLosses = 1'000'000;
inline constexpr int kMostAgentAttempts = 2;

/// Parts whose holders are gone, or silent for longer than their lease, wait
/// again.
Status FreeLostParts(const oracle::Context& context, runner::Ledger& ledger,
                     runner::JobQueue& queue);

/// Whether the holder of a job is gone, or silent for longer than its lease.
bool IsLost(const oracle::Context& context, const std::string& ledger, std::int64_t run,
            const runner::JobRow& row);

/// An agent's progress as the journal keeps it, with the time at which the lease
/// was used: a command that runs later reads there whether it is over.
std::string AgentProgress(const Clock& clock, runner::Progress progress);

/// How the journal is to be joined: a run in which agents have parts, or have
/// delivered some, is never replaced, whatever has changed since.
runner::Existing HowToJoin(runner::Ledger& ledger, std::string_view plan, runner::Existing asked);

/// An agent's drafts of a part, as stored in the journal until the part is
/// submitted.
std::string FormatSections(const std::vector<draft::AgentSection>& sections);
/// Skips what cannot be parsed.
std::vector<draft::AgentSection> ParseSections(std::string_view payload);

/// A part that an agent holds. Not movable: the queue borrows the ledger.
class HeldPart {
 public:
  /// kUsage if it is not a lease; kUnavailable if the lease was lost.
  static Result<std::unique_ptr<HeldPart>> Open(const oracle::Context& context,
                                                std::string_view lease);

  runner::JobQueue& queue() { return queue_; }
  const runner::Lease& lease() const { return lease_.lease; }
  const runner::JobRow& row() const { return row_; }
  const std::string& plan_path() const { return plan_path_; }
  const plan::Plan& plan() const { return plan_; }
  const plan::Part& part() const { return *part_; }
  const std::vector<plan::Section>& sections() const { return sections_; }
  std::chrono::seconds lease_length() const {
    return std::chrono::duration_cast<std::chrono::seconds>(row_.lease);
  }

  /// The published page that is being revised; empty for a new page.
  const std::string& revised() const { return revised_; }
  bool is_revision() const { return !revised_.empty(); }
  /// kUsage if the published page was changed after it was claimed.
  Status CheckRevised() const;

  /// It was submitted with this very lease: the answer got lost.
  bool is_submitted() const { return row_.state == runner::JobState::kDone; }

  std::vector<draft::AgentSection>& drafted() { return drafted_; }
  /// Journals `drafted`, and renews the lease. kUnavailable if the lease was
  /// lost.
  Status Keep(const runner::Progress& progress);

 private:
  HeldPart(const Clock& clock, std::unique_ptr<runner::Ledger> ledger, const AgentLease& lease)
      : clock_(clock),
        ledger_(std::move(ledger)),
        lease_(lease),
        queue_(runner::JobQueue::Of(*ledger_, lease.run)) {}
  Status Read(const oracle::Context& context);
  Status ReadPlan(const oracle::Context& context, const std::string& run);

  const Clock& clock_;
  std::unique_ptr<runner::Ledger> ledger_;
  AgentLease lease_;
  runner::JobQueue queue_;
  runner::JobRow row_;
  std::string plan_path_;
  std::string revised_;
  bool is_outdated_ = false;  // the page has another text than when it was claimed
  plan::Plan plan_;
  const plan::Part* part_ = nullptr;
  std::vector<plan::Section> sections_;
  std::vector<draft::AgentSection> drafted_;
};

/// The page of these sections and the gate's verdict. The lines of findings
/// refer to the section as given, and their detail `section` is its number,
/// from one.
struct JudgedPage {
  draft::AgentPage page;
  std::vector<Finding> findings;  ///< Empty: it passes.
  std::vector<Finding> notes;     ///< Of a page that passes: statements that are not decided.
  gate::SupportCount support;     ///< Of a page that passes.
};
Result<JudgedPage> JudgeSections(const oracle::Context& context, const HeldPart& held,
                                 const std::vector<draft::AgentSection>& sections);

/// Another has it, or the time is over.
Error LeaseLost();

}  // namespace sibyl::expansion
