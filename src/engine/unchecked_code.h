// SPDX-License-Identifier: Apache-2.0
// The warning of `audit --code` and `verify --code` that code blocks were not
// checked because there is no sandbox for compilers.
#pragma once

#include "code/code_check.h"
#include "engine/operation.h"
#include "engine/outcome.h"

namespace sibyl::engine {

/// Adds one finding, `code/unchecked`, with the number of blocks; nothing when
/// all were checked.
void AddUncheckedCode(const code::CodeChecker& code, Outcome& outcome);

/// For the rows of the operations that call it.
Rule UncheckedCodeRule();

}  // namespace sibyl::engine
