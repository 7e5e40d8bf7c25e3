// SPDX-License-Identifier: Apache-2.0
// Values in forms that may be about a parameter of something that the text names: "`f` does
// `steps=11` by default", "11 iterations (`steps`)", "`Adam`: eps 1e-6, weight decay 0.01", "its
// dropout default is 0.1", "1000 steps for the growth interval", a column "eps" in a row of a
// class.
#pragma once

#include <vector>

#include "audit/values/value_claims.h"
#include "statement/statement.h"

namespace sibyl::audit {

/// At most 100; of several readings of one value the most specific first. Takes linear time.
std::vector<ValueClaim> ReadLooseClaims(const statement::Statement& statement);

}  // namespace sibyl::audit
