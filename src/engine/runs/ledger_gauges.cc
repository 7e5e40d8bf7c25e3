// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/ledger_gauges.h"

#include <map>
#include <string>

#include "base/telemetry/families.h"
#include "expansion/ledger/open_ledger.h"
#include "runner/snapshot.h"

namespace sibyl::engine {

void ReadLedgerGauges(const oracle::Context& context, Metrics& gauges) {
  Result<runner::LedgerCounts> counts = expansion::ReadCounts(context);
  // Nothing has been run yet.
  if (!counts.ok() && counts.error().kind == ErrorKind::kNotFound) counts = runner::LedgerCounts();
  gauges.Set(kLedgerUp, {}, counts.ok() ? 1 : 0);
  if (!counts.ok()) return;
  gauges.Set(kOpenRuns, {}, static_cast<double>(counts->open_runs));
  // Zeros too: an alarm on a series that does not exist never sounds.
  for (const char* state : {"waiting", "running", "lost", "done", "failed", "cancelled"}) {
    const auto found = counts->parts.find(state);
    const std::int64_t count = found == counts->parts.end() ? 0 : found->second;
    gauges.Set(kParts, {state}, static_cast<double>(count));
  }
  std::map<std::string, double> roles = {{"worker", 0}, {"expand", 0}};
  for (const runner::Participant& each : counts->participants) ++roles[each.role];
  for (const auto& [role, count] : roles) gauges.Set(kWorkers, {role}, count);
  constexpr double kMillion = 1e6;
  gauges.Set(kRunTokens, {}, static_cast<double>(counts->spent.tokens));
  gauges.Set(kRunCost, {}, static_cast<double>(counts->spent.money_millionths) / kMillion);
}

}  // namespace sibyl::engine
