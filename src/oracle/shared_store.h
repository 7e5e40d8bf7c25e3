// SPDX-License-Identifier: Apache-2.0
// The store that the machines of a team share (evidence/shared/shared_store.h), as
// the user's environment names it. An oracle cannot name one.
#pragma once

#include <memory>

#include "base/result.h"
#include "evidence/shared/shared_store.h"
#include "evidence/sync.h"
#include "oracle/context.h"

namespace sibyl::oracle {

inline constexpr const char* kStoreVariable = "SIBYL_STORE";

/// kUsage if SIBYL_STORE is not set.
Result<evidence::SharedStore> OpenSharedStore(const Context& context);

/// Adds the shared store, if SIBYL_STORE is set. One that cannot be used, because it is
/// not mounted, is a note: work goes on with this machine's own cache.
void UseSharedStore(const Context& context, evidence::Surroundings& around);

}  // namespace sibyl::oracle
