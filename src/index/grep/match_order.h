// SPDX-License-Identifier: Apache-2.0
// The order in which matching lines are worth reading.
#pragma once

#include "index/grep/grep.h"

namespace sibyl::index {

/// Documents that define what was matched, then documentation, then other files; after them
/// examples, copies of other projects and changelogs, then tests and generated files. Those of
/// one kind stay in the order of the index.
void OrderByRelevance(const Searcher& searcher, Matches& matches);

}  // namespace sibyl::index
