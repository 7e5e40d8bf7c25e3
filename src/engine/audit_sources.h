// SPDX-License-Identifier: Apache-2.0
// The opened sources in the form that the witness of an audit needs.
#pragma once

#include <vector>

#include "audit/witness.h"
#include "base/result.h"
#include "evidence/evidence.h"
#include "oracle/source_index.h"

namespace sibyl::engine {

/// With the names that sibyl.toml gives them (`known_as`).
Result<std::vector<audit::WitnessSource>> WitnessSources(const oracle::SourceIndexes& indexes,
                                                         const evidence::Surroundings& around);

}  // namespace sibyl::engine
