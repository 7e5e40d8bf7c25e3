// SPDX-License-Identifier: Apache-2.0
// The ordinary words that a citation belongs to. Part of find.cc.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "references/find/unit.h"

namespace sibyl::references {

/// The words before a citation, back to another citation or file that has words
/// behind it; where there are none, those after it. In a table, the other cells of
/// the row.
std::string ProseOf(const std::vector<Unit>& units, std::size_t unit, std::size_t hit);

}  // namespace sibyl::references
