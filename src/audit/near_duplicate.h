// SPDX-License-Identifier: Apache-2.0
// Finds a sentence of a source that is nearly identical to a statement, except
// for a number: then the number is wrong, whatever its unit.
#pragma once

#include <vector>

#include "audit/number_judge.h"
#include "audit/witness.h"
#include "statement/statement.h"

namespace sibyl::audit {

/// Numbers of a prose statement that a nearly identical sentence has too, or has differently;
/// none for a statement without such a sentence.
std::vector<JudgedNumber> JudgeByNearDuplicate(const statement::Statement& statement,
                                               const Witness& witness);

}  // namespace sibyl::audit
