// SPDX-License-Identifier: Apache-2.0
// The opened sources as the witness of an audit knows them.
#pragma once

#include <vector>

#include "engine/source_index.h"
#include "verify/witness.h"

namespace sibyl::engine {

std::vector<verify::WitnessSource> WitnessSources(const SourceIndexes& indexes);

}  // namespace sibyl::engine
