// SPDX-License-Identifier: Apache-2.0
// Findings as a code quality report of GitLab: an array in the subset of the Code
// Climate format that GitLab reads.
#pragma once

#include <vector>

#include "base/finding.h"
#include "base/json.h"

namespace sibyl::interface {

/// Fingerprints are unique in a report, and stay the same when lines move.
Json FindingsAsGitLab(const std::vector<Finding>& findings);

}  // namespace sibyl::interface
