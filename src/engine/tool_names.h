// SPDX-License-Identifier: Apache-2.0
// The names by which agents know operations.
#pragma once

#include <string>
#include <string_view>

#include "engine/operation.h"

namespace sibyl::engine {

/// "claim_part" is "part claim". Null when there is none.
const Operation* FindToolOperation(std::string_view tool);

/// `text` with the names of tools that have a '_' in them replaced by the commands that
/// do the same: "claim_part" by "'sibyl part claim'".
std::string WithCommands(std::string_view text);

}  // namespace sibyl::engine
