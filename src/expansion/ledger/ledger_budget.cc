// SPDX-License-Identifier: Apache-2.0
#include "expansion/ledger/ledger_budget.h"

#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include "base/secret.h"
#include "base/telemetry/log.h"

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

std::string LedgerBudget::WhatFor(runner::Allowance allowance, std::int64_t tokens) {
  if (allowance == runner::Allowance::kUnderWay) return std::string(model::kUnderWay);
  const MutexLock lock(mutex_);
  const Result<std::optional<runner::Throttle>> throttle = ledger_->ThrottleOf(*run_, tokens);
  if (!throttle.ok() || !*throttle) return "waiting for the limit of tokens an hour";
  return runner::ThrottleText(**throttle);
}

Result<std::string> LedgerBudget::Reserve(const model::Usage& most, double cost,
                                          const model::Waiting& waiting) {
  constexpr std::size_t kNameBytes = 12;
  constexpr std::chrono::milliseconds kBetweenLooks{500};
  std::string name = SIBYL_TRY(RandomHex(kNameBytes));
  const runner::Spending spending = SpendingOf(most, cost);
  std::string told;
  while (true) {
    const runner::Allowance allowance = SIBYL_TRY(TryReserve(name, spending));
    if (allowance == runner::Allowance::kReserved) {
      if (!told.empty() && waiting.tell) waiting.tell("");
      return name;
    }
    if (allowance == runner::Allowance::kNever) {
      return Error{
          .kind = ErrorKind::kUnavailable,
          .message =
              "a limit of the run for models would be exceeded by all its workers "
              "together",
          .hint = "raise max_tokens, max_cost or tokens_per_hour in [model] of sibyl.toml"};
    }
    if (waiting.stop.stop_requested()) {
      return Error{.kind = ErrorKind::kCancelled, .message = "stopped"};
    }
    const std::string what = WhatFor(allowance, spending.tokens);
    if (std::exchange(told, what) != what) {
      WriteLog(LogLevel::kInfo, what);
      if (waiting.tell) waiting.tell(what);
    }
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
