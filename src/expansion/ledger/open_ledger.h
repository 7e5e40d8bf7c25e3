// SPDX-License-Identifier: Apache-2.0
// The ledger of an operation: the PostgreSQL database that the user's
// environment or configuration names, or else the oracle's own journal. Never
// one that the oracle names: it may come from someone else.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/files/own_folder.h"
#include "base/result.h"
#include "oracle/context.h"
#include "runner/ledger.h"
#include "runner/snapshot.h"

namespace sibyl::expansion {

/// SIBYL_LEDGER, or `url` in `[ledger]` of the user's configuration: a
/// connection string of PostgreSQL, without a password. Empty: the journal.
Result<std::string> LedgerAddress(const oracle::Context& context);

/// `role` is what this process does, for 'sibyl status': "worker", "expand"; empty: it is
/// not listed. Operations are counted in the process's metrics.
Result<std::unique_ptr<runner::Ledger>> OpenLedger(const oracle::Context& context,
                                                   const OwnFolder& own,
                                                   std::string_view role = {});

// For operations that only read. kNotFound if nothing was recorded yet;
// kCorrupt for a journal that is damaged or not ours.
Result<runner::Snapshot> ReadSnapshot(const oracle::Context& context);
Result<std::optional<runner::OpenRun>> ReadOpenRun(const oracle::Context& context,
                                                   std::string_view name);
/// Of the open runs, in a second or with an error: for a monitor.
Result<runner::LedgerCounts> ReadCounts(const oracle::Context& context);
/// Whether it is the address of a ledger, and not the name of a file:
/// "postgresql://…", "host=…", "service=…".
bool IsLedgerAddress(std::string_view text);
/// A ledger by its address, with the runs of every oracle.
Result<runner::Snapshot> ReadLedger(const std::string& address, const Clock& clock);

}  // namespace sibyl::expansion
