// SPDX-License-Identifier: Apache-2.0
// The budget of a run for models that all its workers share, in a ledger.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "base/result.h"
#include "model/model_budget.h"
#include "runner/ledger.h"

namespace sibyl::expansion {

/// Thread-safe.
class LedgerBudget : public model::SharedBudget {
 public:
  /// For the open run of that name.
  LedgerBudget(std::unique_ptr<runner::Ledger> ledger, std::string run_name)
      : run_name_(std::move(run_name)), ledger_(std::move(ledger)) {}

  /// Waits for the next hour, and for requests that are under way.
  Result<std::string> Reserve(const model::Usage& most, double cost,
                              const model::Waiting& waiting) override SIBYL_EXCLUDES(mutex_);
  void Settle(const std::string& reservation, const model::Usage& usage, double cost) override
      SIBYL_EXCLUDES(mutex_);

 private:
  Result<runner::Allowance> TryReserve(const std::string& name, const runner::Spending& most)
      SIBYL_EXCLUDES(mutex_);

  std::string WhatFor(runner::Allowance allowance, std::int64_t tokens) SIBYL_EXCLUDES(mutex_);

  std::string run_name_;
  Mutex mutex_;
  std::unique_ptr<runner::Ledger> ledger_ SIBYL_GUARDED_BY(mutex_);
  std::optional<std::int64_t> run_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::expansion
