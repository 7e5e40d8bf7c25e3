// SPDX-License-Identifier: Apache-2.0
// Text that is in neither the cited lines nor their file may be elsewhere in
// the source: then the finding says where. One pass over each source, only for
// failures, without an index.
#pragma once

#include <cstddef>
#include <vector>

#include "gate/resolver.h"
#include "statement/verdict.h"

namespace sibyl::gate {

/// Looks for the texts of judgements that are absent and name their source, at
/// most `limit` of them; sets nearest and message of those found.
void SearchSources(const std::vector<statement::Judgement*>& judgements,
                   const CitationResolver& resolver, std::size_t limit = 64);

}  // namespace sibyl::gate
