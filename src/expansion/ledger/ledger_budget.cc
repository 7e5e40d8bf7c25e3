// SPDX-License-Identifier: Apache-2.0
#include "expansion/ledger/ledger_budget.h"

#include <chrono>
#include <cmath>
#include <thread>

#include "base/secret.h"

namespace sibyl::expansion {
namespace {

runner::Spending SpendingOf(const model::Usage& usage, double cost) {
  constexpr double kMillion = 1e6;
  return {.tokens = static_cast<std::int64_t>(usage.input + usage.output),
          .money_millionths = static_cast<std::int64_t>(std::ceil(cost * kMillion))};
}

}  // namespace

Result<runner::Allowance> LedgerBudget::TryReserve(const std::string& name,
                                                   const runner::Spending& most) {
  const MutexLock lock(mutex_);
  if (!run_) run_ = SIBYL_TRY(ledger_->FindOpen(run_name_));
  if (!run_) return runner::Superseded();
  return ledger_->Reserve(*run_, name, most);
}

Result<std::string> LedgerBudget::Reserve(const model::Usage& most, double cost) {
  constexpr std::size_t kNameBytes = 12;
  constexpr std::chrono::milliseconds kBetweenLooks{500};
  std::string name = SIBYL_TRY(RandomHex(kNameBytes));
  while (true) {
    const runner::Allowance allowance = SIBYL_TRY(TryReserve(name, SpendingOf(most, cost)));
    if (allowance == runner::Allowance::kReserved) return name;
    if (allowance == runner::Allowance::kNever) {
      return Error{
          .kind = ErrorKind::kUnavailable,
          .message =
              "a limit of the run for models would be exceeded by all its workers "
              "together",
          .hint = "raise max_tokens, max_cost or tokens_per_hour in [model] of sibyl.toml"};
    }
    if (stop_.stop_requested()) return Error{.kind = ErrorKind::kCancelled, .message = "stopped"};
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

// A failure leaves the reservation, which counts as spent: too much rather than
// too little.
void LedgerBudget::Settle(const std::string& reservation, const model::Usage& usage, double cost) {
  const MutexLock lock(mutex_);
  const Status ignored = ledger_->Spend(reservation, SpendingOf(usage, cost));
  static_cast<void>(ignored.ok());
}

}  // namespace sibyl::expansion
