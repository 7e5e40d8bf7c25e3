// SPDX-License-Identifier: Apache-2.0
// Numbers by what they count: "eight attention heads that share 32 query
// groups" where the lines have 32 heads and 8 groups, "four 4090" where they have
// "six 4090".
#pragma once

#include <optional>
#include <string>

#include "support/evidence_text.h"
#include "support/read_statement.h"

namespace sibyl::support {

/// Why a number counts something else in the lines: "the cited lines connect 75
/// and 1024 the other way round"; nothing if none does.
std::optional<std::string> WrongCount(const ReadStatement& read, const EvidenceText& evidence,
                                      Stems& stems);

}  // namespace sibyl::support
