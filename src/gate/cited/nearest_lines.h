// SPDX-License-Identifier: Apache-2.0
// For a statement that the cited lines do not carry: the lines of the same file
// that would.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/line_span.h"
#include "statement/statement.h"
#include "support/grounding.h"

namespace sibyl::gate {

/// The paragraph or definition of the file that has most of what the statement
/// says, if it grounds the statement. Reads at most 256 KiB.
std::optional<LineRange> NearestLines(const statement::Statement& statement, std::string_view file,
                                      support::Grounder& grounder);

}  // namespace sibyl::gate
