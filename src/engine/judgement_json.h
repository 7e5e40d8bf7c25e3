// SPDX-License-Identifier: Apache-2.0
// Judgements as JSON for `verify` and `audit`: the counts, and the line of each
// judgement.
#pragma once

#include <string_view>
#include <vector>

#include "base/json.h"
#include "statement/verdict.h"

namespace sibyl::engine {

/// {"supported": 3, "contradicted": 0, "absent": 0, "stale": 0, "undecidable": 1}
Json CountsAsJson(const statement::VerdictCounts& counts);

/// Fills in the text of every judgement's line, or the piece of it around the
/// column. `text` is the whole file.
void AddLineTexts(std::string_view text, std::vector<statement::Judgement>& judgements);

}  // namespace sibyl::engine
