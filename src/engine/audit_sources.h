// SPDX-License-Identifier: Apache-2.0
// The opened sources in the form that the witness of an audit needs.
#pragma once

#include <vector>

#include "audit/witness.h"
#include "oracle/source_index.h"

namespace sibyl::engine {

std::vector<audit::WitnessSource> WitnessSources(const oracle::SourceIndexes& indexes);

}  // namespace sibyl::engine
