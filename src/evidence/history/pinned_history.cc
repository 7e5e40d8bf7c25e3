// SPDX-License-Identifier: Apache-2.0
#include "evidence/history/pinned_history.h"

#include <utility>

namespace sibyl::evidence {

Result<History> OpenHistoryOf(const Pin& pin, const Surroundings& around) {
  const Mirror mirror = around.store.MirrorOf(pin.kind, StoreOrigin(pin.origin, around.oracle));
  Result<History> history = OpenHistory(mirror, pin.commit.value_or(git::ObjectId{}));
  if (!history.ok()) return While("opening the history of " + pin.name, history.error());
  return history;
}

Status RestoreHistory(const Pin& pin, const Surroundings& around) {
  if (pin.history == 0 || OpenHistoryOf(pin, around).ok()) return {};
  const SourceSpec spec{.name = pin.name,
                        .kind = pin.kind,
                        .origin = pin.origin,
                        .ref = pin.commit->Hex(),
                        .filter = pin.filter,
                        .has_history = true};
  const Result<Fetched> fetched = FetchSource(spec, around);
  return fetched.ok() ? Status() : fetched.error();
}

}  // namespace sibyl::evidence
