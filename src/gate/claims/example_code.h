// SPDX-License-Identifier: Apache-2.0
// Code of the writer's own that shows how something is used.
#pragma once

#include "gate/claims/claims.h"
#include "statement/statement.h"
#include "support/tokens.h"

namespace sibyl::gate {

/// ```cpp example
bool IsMarkedExample(const statement::Statement& code);

/// Whether the ground has what the code calls, sets and passes: the names before
/// a bracket, options and constants; unless it is marked as an example, also most
/// of its other names. Its comments are judged as texts (unmarked.h), its values
/// are the writer's choice.
bool IsExampleOf(const statement::Statement& code, const ClaimGround& ground,
                 support::Tokenizer& tokenizer);

}  // namespace sibyl::gate
