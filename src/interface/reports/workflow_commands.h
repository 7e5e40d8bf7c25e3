// SPDX-License-Identifier: Apache-2.0
// Findings as workflow commands of GitHub Actions, which annotate lines of a pull
// request.
#pragma once

#include <string>
#include <vector>

#include "base/finding.h"

namespace sibyl::interface {

/// "::error file=a.md,line=3,title=citation/drifted::message", one line each. No
/// text of a finding can end its command or start another.
std::string FindingsAsWorkflowCommands(const std::vector<Finding>& findings);

}  // namespace sibyl::interface
