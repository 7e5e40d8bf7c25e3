// SPDX-License-Identifier: Apache-2.0
// Where a name is declared: an option of a build, a macro, a type, a function, a
// variable of the environment that is read. A ranking by words does not know
// that from a hundred uses.
#pragma once

#include <string_view>
#include <vector>

#include "index/rank/searcher.h"

namespace sibyl::draft {

/// The passages that declare the name, those first that people would look at
/// first; few. Names that are no identifiers have none.
std::vector<index::Hit> DeclarationsOf(std::string_view name, const index::Searcher& searcher);

}  // namespace sibyl::draft
