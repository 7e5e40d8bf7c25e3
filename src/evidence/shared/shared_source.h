// SPDX-License-Identifier: Apache-2.0
// Pinned sources in the shared store: the packs of a git tree, a folder or a
// file, the snapshots of pages.
#pragma once

#include <optional>

#include "base/result.h"
#include "evidence/shared/shared_store.h"
#include "evidence/source.h"
#include "evidence/sync.h"

namespace sibyl::evidence {

/// Stores what this machine has of a pin. Nothing happens without a shared store,
/// or if it has the pin already.
Status GiveSource(const Pin& pin, const Surroundings& around);

/// Copies what the shared store has of a pin to this machine's store. false if
/// there is no shared store, or it does not have the pin. For pages, RestoreSource
/// then makes their tree.
Result<bool> BringSource(const Pin& pin, const Surroundings& around);

/// A claim on fetching a pin that this machine does not have. While another machine
/// fetches the source this waits, until the shared store has it; nullopt then, and
/// without a shared store.
Result<std::optional<SharedClaim>> ClaimSource(const Pin& pin, const Surroundings& around);

}  // namespace sibyl::evidence
