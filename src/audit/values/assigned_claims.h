// SPDX-License-Identifier: Apache-2.0
// Parameters with values in code font: "`AdamW` uses `lr=1e-3` and `eps=1e-8`". They are defaults
// if most of those that the text gives to one owner are.
#pragma once

#include <vector>

#include "audit/values/value_claims.h"
#include "statement/statement.h"

namespace sibyl::audit {

/// At most 50. Takes linear time.
std::vector<ValueClaim> ReadAssignedClaims(const statement::Statement& statement);

/// The names before a place that may own a parameter, nearest first: in the statement, then in
/// those before it in the same section.
std::vector<std::string> NamesBefore(const statement::Statements& statements, std::size_t number,
                                     std::size_t offset);

}  // namespace sibyl::audit
