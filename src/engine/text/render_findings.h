// SPDX-License-Identifier: Apache-2.0
// Findings and errors in the style of compilers: place, message, the line, a
// caret and a hint.
#pragma once

#include <string>
#include <vector>

#include "base/finding.h"
#include "base/terminal.h"

namespace sibyl::engine {

/// "plans/cuda.md:14: warning: … [part/no-target]", the line and a caret.
std::string RenderFinding(const Finding& finding, const Terminal& terminal);

/// "sibyl: error: plans/cuda.md:14: …", the line and a caret.
std::string RenderError(const Error& error, const Terminal& terminal);

/// "2 errors, 1 warning"; "nothing to report" when there is nothing.
std::string SummariseFindings(const std::vector<Finding>& findings);

}  // namespace sibyl::engine
