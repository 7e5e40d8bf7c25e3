// SPDX-License-Identifier: Apache-2.0
// Units of time and size as words of a statement, against those of the lines.
#pragma once

#include <string>

#include "support/evidence_text.h"
#include "support/numbers/quantity.h"
#include "support/read_statement.h"

namespace sibyl::support {

/// "in milliseconds" where the lines have only microseconds; empty if there is none.
std::string OtherUnitWord(const ReadStatement& read, const EvidenceText& evidence);

/// "90 hours" where the lines count in days.
bool IsOtherTime(const Quantity& said, const ReadStatement& read, const EvidenceText& evidence);

}  // namespace sibyl::support
