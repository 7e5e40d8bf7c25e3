// SPDX-License-Identifier: Apache-2.0
// The oracle an operation works in, as the rooms below want it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/own_folder.h"
#include "base/result.h"
#include "base/root.h"
#include "base/user_state.h"
#include "engine/context.h"
#include "evidence/evidence.h"

namespace sibyl::engine {

/// The oracle's folder; kUsage with the way to make one when there is none.
Result<std::filesystem::path> RequireOracle(const Context& context);

/// The same, open for reading and writing.
Result<Root> OpenOracle(const Context& context);

/// The oracle's .sibyl (base/own_folder.h), made when it is missing.
Result<OwnFolder> OpenOwnFolder(const Context& context);
/// The same for operations that only read. Nothing: there is none yet.
Result<std::optional<OwnFolder>> FindOwnFolder(const Context& context);

/// The user's key and consents; made when they are missing.
Result<UserState> OpenState(const Context& context);

/// What the evidence room takes from the surroundings of an operation.
Result<evidence::Surroundings> EvidenceAround(const Context& context);

/// A pin as every answer shows it.
Json PinAsJson(const evidence::Pin& pin);

}  // namespace sibyl::engine
