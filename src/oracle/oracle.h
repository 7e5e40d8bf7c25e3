// SPDX-License-Identifier: Apache-2.0
// The oracle of an operation, in the form that other rooms need.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/own_folder.h"
#include "base/files/root.h"
#include "base/files/user_state.h"
#include "base/result.h"
#include "evidence/evidence.h"
#include "oracle/context.h"

namespace sibyl::oracle {

/// The oracle's folder; kUsage, with how to create one, if there is none.
Result<std::filesystem::path> RequireOracle(const Context& context);

/// For a question that an installed oracle may answer: without an oracle, the error has the
/// command that asks it, made of `command` ("ask what is a warp").
Status RequireOracleFor(const Context& context, std::string_view command);

/// Opens the folder of the oracle for reading and writing.
Result<Root> OpenOracle(const Context& context);

/// The oracle's .sibyl (base/files/own_folder.h), made when it is missing.
Result<OwnFolder> OpenOwnFolder(const Context& context);
/// For operations that only read: nullopt if there is no own folder yet.
Result<std::optional<OwnFolder>> FindOwnFolder(const Context& context);

/// The user's key and consents; made when they are missing.
Result<UserState> OpenState(const Context& context);

/// The environment that evidence needs from an operation.
Result<evidence::Surroundings> EvidenceAround(const Context& context);

}  // namespace sibyl::oracle
