// SPDX-License-Identifier: Apache-2.0
#include "engine/reading/stop_run.h"

#include <utility>

#include "expansion/ledger/open_ledger.h"
#include "runner/interrupt.h"
#include "runner/snapshot.h"

namespace sibyl::engine {

Status StopRun(const oracle::Context& context, std::string_view plan) {
  Result<runner::Snapshot> read = expansion::ReadSnapshot(context);
  const runner::Snapshot snapshot = read.ok() ? *std::move(read) : runner::Snapshot();
  for (const runner::RunSnapshot& run : snapshot.runs) {
    const bool is_it = run.name == plan && run.state == runner::RunState::kOpen;
    if (is_it && runner::InterruptRun(run) > 0) return {};
  }
  return Error{.kind = ErrorKind::kNotFound,
               .message = "no process on this machine works on that plan"};
}

}  // namespace sibyl::engine
