// SPDX-License-Identifier: Apache-2.0
#include "runner/measured_ledger.h"

#include "base/telemetry/families.h"
#include "base/telemetry/log.h"
#include "base/telemetry/metrics.h"
#include "runner/runner.h"
#include "runner/snapshot.h"

namespace sibyl::runner {
namespace {

template <typename Operation>
auto Measured(const char* name, Operation operation) -> decltype(operation()) {
  const MetricTimer timer(kLedgerSeconds, {name});
  auto result = operation();
  if (!result.ok()) {
    Metrics::OfProcess().Add(kLedgerErrors, {name});
    WriteLog(LogLevel::kError, result.error().message, {{"operation", name}});
  }
  return result;
}

Result<Acceptance> CountRefused(Result<Acceptance> accepted) {
  if (accepted.ok() && *accepted == Acceptance::kRefused) Metrics::OfProcess().Add(kRefused);
  return accepted;
}

}  // namespace

MeasuredLedger::MeasuredLedger(std::unique_ptr<Ledger> ledger) : ledger_(std::move(ledger)) {
  Metrics& metrics = Metrics::OfProcess();
  for (const char* result : {"granted", "none"}) metrics.Add(kClaims, {result}, 0);
  for (const char* reason : {"crashed", "expired"}) metrics.Add(kLeaseLosses, {reason}, 0);
  for (const JobState state :
       {JobState::kDone, JobState::kFailed, JobState::kWaiting, JobState::kCancelled}) {
    metrics.Add(kSettled, {std::string(JobStateName(state))}, 0);
  }
  metrics.Add(kRefused, {}, 0);
  metrics.Add(kLedgerReconnects, {}, 0);
}

Result<BegunRun> MeasuredLedger::Begin(const RunSpec& spec, Existing existing) {
  return Measured("begin", [&] { return ledger_->Begin(spec, existing); });
}

Result<std::optional<std::int64_t>> MeasuredLedger::FindOpen(std::string_view name) {
  return Measured("find", [&] { return ledger_->FindOpen(name); });
}

Result<std::string> MeasuredLedger::OpenName(std::int64_t run) {
  return Measured("find", [&] { return ledger_->OpenName(run); });
}

Status MeasuredLedger::FinishRun(std::string_view name, std::string_view payload) {
  return Measured("finish", [&] { return ledger_->FinishRun(name, payload); });
}

Result<std::vector<JobRow>> MeasuredLedger::Jobs(std::int64_t run) {
  return Measured("read", [&] { return ledger_->Jobs(run); });
}

Result<std::vector<JobRow>> MeasuredLedger::Changes(std::int64_t run, std::string& mark) {
  return Measured("look", [&] { return ledger_->Changes(run, mark); });
}

Result<std::vector<RunInfo>> MeasuredLedger::OpenRuns() {
  return Measured("look", [&] { return ledger_->OpenRuns(); });
}

Result<std::vector<JobRow>> MeasuredLedger::Running(std::int64_t run) {
  return Measured("look", [&] { return ledger_->Running(run); });
}

Result<std::optional<Lease>> MeasuredLedger::Claim(std::int64_t run, const Claimant& claimant) {
  Result<std::optional<Lease>> lease =
      Measured("claim", [&] { return ledger_->Claim(run, claimant); });
  if (lease.ok()) Metrics::OfProcess().Add(kClaims, {lease->has_value() ? "granted" : "none"});
  return lease;
}

Result<Acceptance> MeasuredLedger::Keep(std::int64_t run, const Lease& lease,
                                        std::string_view payload, std::string_view progress) {
  return CountRefused(
      Measured("keep", [&] { return ledger_->Keep(run, lease, payload, progress); }));
}

Result<Acceptance> MeasuredLedger::Settle(std::int64_t run, const Lease& lease,
                                          const Settlement& settlement) {
  Result<Acceptance> accepted =
      CountRefused(Measured("settle", [&] { return ledger_->Settle(run, lease, settlement); }));
  if (accepted.ok() && *accepted == Acceptance::kAccepted) {
    Metrics::OfProcess().Add(kSettled, {std::string(JobStateName(settlement.state))});
  }
  return accepted;
}

Result<std::vector<std::size_t>> MeasuredLedger::Renew(std::int64_t run,
                                                       const std::vector<Renewal>& renewals) {
  Result<std::vector<std::size_t>> lost =
      Measured("renew", [&] { return ledger_->Renew(run, renewals); });
  if (lost.ok() && !lost->empty()) {
    Metrics::OfProcess().Add(kRefused, {}, static_cast<double>(lost->size()));
  }
  return lost;
}

Result<Acceptance> MeasuredLedger::Expire(std::int64_t run, const Lease& lease, Loss loss,
                                          const MostLosses& most) {
  Result<Acceptance> accepted =
      Measured("expire", [&] { return ledger_->Expire(run, lease, loss, most); });
  if (accepted.ok() && *accepted == Acceptance::kAccepted) {
    const char* reason = loss == Loss::kCrashed ? "crashed" : "expired";
    Metrics::OfProcess().Add(kLeaseLosses, {reason});
    WriteLog(LogLevel::kWarning, "lease lost", {{"run", std::to_string(run)}, {"reason", reason}});
  }
  return accepted;
}

Status MeasuredLedger::PutBack(std::int64_t run, std::size_t place, std::string_view reason) {
  return Measured("put_back", [&] { return ledger_->PutBack(run, place, reason); });
}

Status MeasuredLedger::CancelWaiting(std::int64_t run, std::string_view reason) {
  return Measured("cancel", [&] { return ledger_->CancelWaiting(run, reason); });
}

Result<std::unique_ptr<Ledger>> MeasuredLedger::Another() const {
  std::unique_ptr<Ledger> another = SIBYL_TRY(ledger_->Another());
  return std::unique_ptr<Ledger>(std::make_unique<MeasuredLedger>(std::move(another)));
}

Result<Allowance> MeasuredLedger::Reserve(std::int64_t run, const std::string& name,
                                          const Spending& most) {
  return Measured("reserve", [&] { return ledger_->Reserve(run, name, most); });
}

Status MeasuredLedger::Spend(const std::string& name, const Spending& spent) {
  return Measured("spend", [&] { return ledger_->Spend(name, spent); });
}

Result<Snapshot> MeasuredLedger::ReadAll() {
  return Measured("read", [&] { return ledger_->ReadAll(); });
}

}  // namespace sibyl::runner
