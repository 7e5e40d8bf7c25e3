// SPDX-License-Identifier: Apache-2.0
// The state of an oracle's ledger as gauges, for a monitor.
#pragma once

#include "base/telemetry/metrics.h"
#include "oracle/context.h"

namespace sibyl::engine {

/// A ledger that cannot be read is a gauge too: sibyl_ledger_up is then 0, and the
/// others are absent. Takes a second or so at most, unless the network swallows
/// packets.
void ReadLedgerGauges(const oracle::Context& context, Metrics& gauges);

}  // namespace sibyl::engine
