// SPDX-License-Identifier: Apache-2.0
// The history of a pin: opened, or brought back into the store.
#pragma once

#include "base/result.h"
#include "evidence/history/history.h"
#include "evidence/source.h"
#include "evidence/sync.h"

namespace sibyl::evidence {

/// kNotFound if the store does not have it.
Result<History> OpenHistoryOf(const Pin& pin, const Surroundings& around);

/// Restores a pin's history, which RestoreSource leaves out; nothing for a pin without one.
Status RestoreHistory(const Pin& pin, const Surroundings& around);

}  // namespace sibyl::evidence
