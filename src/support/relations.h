// SPDX-License-Identifier: Apache-2.0
// Relations that a statement claims between two names, held to the structure of
// the cited lines: "A calls B", "A derives from B", "A, then B", "parameter p
// of f" (cards/definition.h).
#pragma once

#include <string>
#include <vector>

#include "cards/definition.h"
#include "support/read_statement.h"

namespace sibyl::support {

/// One sentence for each relation that the lines have the other way round, or
/// between other names. Only relations that were parsed contradict:
/// lines that do not have the definitions say nothing.
std::vector<std::string> ContradictedRelations(const ReadStatement& read,
                                               const std::vector<cards::Definition>& definitions);

}  // namespace sibyl::support
