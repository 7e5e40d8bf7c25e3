// SPDX-License-Identifier: Apache-2.0
// What neither the cited lines nor their file have may stand elsewhere in the
// source: then the finding says where. One pass over each source, for what
// fails only, and without an index.
#pragma once

#include <cstddef>
#include <vector>

#include "gate/resolver.h"
#include "statement/verdict.h"

namespace sibyl::gate {

/// Looks for the texts of judgements that are absent and name their source, at
/// most `limit` of them; sets nearest and message of those that are found.
void LookElsewhere(const std::vector<statement::Judgement*>& judgements,
                   const CitationResolver& resolver, std::size_t limit = 64);

}  // namespace sibyl::gate
