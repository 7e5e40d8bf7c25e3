// SPDX-License-Identifier: Apache-2.0
// Fetches what the lock pins and the store does not have.
#pragma once

#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "evidence/evidence.h"

namespace sibyl::engine {

/// No pin moves. A finding for each source that could not be restored: the others are.
Result<std::vector<Finding>> RestoreSources(const evidence::Lock& lock,
                                            const evidence::Surroundings& around);

Rule UnrestoredRule();

}  // namespace sibyl::engine
