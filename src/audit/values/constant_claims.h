// SPDX-License-Identifier: Apache-2.0
// Numbers that a text gives to constants: "802, `cudaErrorNotSupported`", "`EventInterprocess`
// (`0x08`)", "`STREAM_SERIALIZATION`, numbered 7", "3001 is STATUS_SHAPE", a row with a constant
// and a column "code". Constants are known by their own names, so the form may be loose: whether
// there is such a constant is decided by its definitions.
#pragma once

#include <vector>

#include "audit/values/value_claims.h"
#include "statement/statement.h"

namespace sibyl::audit {

/// At most 100. Takes linear time.
std::vector<ValueClaim> ReadConstantClaims(const statement::Statement& statement);

}  // namespace sibyl::audit
