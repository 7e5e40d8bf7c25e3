// SPDX-License-Identifier: Apache-2.0
// Finds where a name is declared: a build option, a macro, a type, a function,
// an environment variable. Ranking by words cannot distinguish that from a
// hundred uses.
#pragma once

#include <string_view>
#include <vector>

#include "index/rank/searcher.h"

namespace sibyl::draft {

/// The few passages that declare the name, the most relevant first. None for
/// names that are not identifiers.
std::vector<index::Hit> DeclarationsOf(std::string_view name, const index::Searcher& searcher);

}  // namespace sibyl::draft
