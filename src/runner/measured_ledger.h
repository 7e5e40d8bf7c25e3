// SPDX-License-Identifier: Apache-2.0
// A ledger of which every operation is counted and timed, in the process's metrics.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "runner/ledger.h"

namespace sibyl::runner {

class MeasuredLedger : public Ledger {
 public:
  /// What alarms watch is counted from 0: an increase from nothing is none.
  explicit MeasuredLedger(std::unique_ptr<Ledger> ledger);

  std::string place() const override { return ledger_->place(); }
  std::optional<std::string> moved_aside() const override { return ledger_->moved_aside(); }
  std::string SignLease(std::string_view lease) const override { return ledger_->SignLease(lease); }
  Result<BegunRun> Begin(const RunSpec& spec, Existing existing) override;
  Result<std::optional<std::int64_t>> FindOpen(std::string_view name) override;
  Result<std::string> OpenName(std::int64_t run) override;
  Status FinishRun(std::string_view name, std::string_view payload) override;
  Result<std::vector<JobRow>> Jobs(std::int64_t run) override;
  Result<std::vector<JobRow>> Changes(std::int64_t run, std::string& mark) override;
  Result<std::vector<RunInfo>> OpenRuns() override;
  Result<std::vector<JobRow>> Running(std::int64_t run) override;
  Result<std::optional<Lease>> Claim(std::int64_t run, const Claimant& claimant) override;
  Result<Acceptance> Keep(std::int64_t run, const Lease& lease, std::string_view payload,
                          std::string_view progress) override;
  Result<Acceptance> Settle(std::int64_t run, const Lease& lease,
                            const Settlement& settlement) override;
  Result<std::vector<std::size_t>> Renew(std::int64_t run,
                                         const std::vector<Renewal>& renewals) override;
  Result<Acceptance> Expire(std::int64_t run, const Lease& lease, Loss loss,
                            const MostLosses& most) override;
  Status PutBack(std::int64_t run, std::size_t place, std::string_view reason) override;
  Status CancelWaiting(std::int64_t run, std::string_view reason) override;
  Result<std::unique_ptr<Ledger>> Another() const override;
  bool holds_limits() const override { return ledger_->holds_limits(); }
  Result<Allowance> Reserve(std::int64_t run, const std::string& name,
                            const Spending& most) override;
  Result<std::optional<Throttle>> ThrottleOf(std::int64_t run, std::int64_t tokens) override {
    return ledger_->ThrottleOf(run, tokens);
  }
  Status Spend(const std::string& name, const Spending& spent) override;
  Result<Snapshot> ReadAll() override;
  std::unique_ptr<ChangeWatch> Watch(std::function<void()> changed) override {
    return ledger_->Watch(std::move(changed));
  }

 private:
  std::unique_ptr<Ledger> ledger_;
};

}  // namespace sibyl::runner
