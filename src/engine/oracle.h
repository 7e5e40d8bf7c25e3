// SPDX-License-Identifier: Apache-2.0
// The oracle an operation works in, as the rooms below want it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "base/user_state.h"
#include "engine/context.h"
#include "evidence/evidence.h"

namespace sibyl::engine {

/// The oracle's folder; kUsage with the way to make one when there is none.
Result<std::filesystem::path> RequireOracle(const Context& context);

/// What we keep in .sibyl/ is of this working copy alone; git need not ask about
/// it, in oracles too that somebody else began.
Status HideOwnFolder(const std::filesystem::path& oracle);

/// The user's key and consents; made when they are missing.
Result<UserState> OpenState(const Context& context);

/// What the evidence room takes from the surroundings of an operation.
Result<evidence::Surroundings> EvidenceAround(const Context& context);

/// A pin as every answer shows it.
Json PinAsJson(const evidence::Pin& pin);

}  // namespace sibyl::engine
