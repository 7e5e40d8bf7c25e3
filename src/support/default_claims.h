// SPDX-License-Identifier: Apache-2.0
// What a statement says about defaults without naming a value: "unless `x` is
// off", or one of several choices.
#pragma once

#include <vector>

#include "support/card_values.h"
#include "support/read_statement.h"
#include "support/values.h"

namespace sibyl::support {

std::vector<ValueFinding> JudgeDefaultClaims(const ReadStatement& read,
                                             const std::vector<ReadCard>& cards);

}  // namespace sibyl::support
