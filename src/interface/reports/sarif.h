// SPDX-License-Identifier: Apache-2.0
// Findings as SARIF 2.1.0, in the subset that GitHub code scanning accepts.
#pragma once

#include <span>
#include <vector>

#include "base/finding.h"
#include "base/json.h"
#include "engine/operation.h"

namespace sibyl::interface {

/// One run. Only the rules that the findings use are listed, in the order of
/// their first use; a code that `rules` does not have describes itself.
/// `fixes` is the member of that name of an answer: [{"file", "code", "line", "replacements"}]; a
/// finding gets those with its file, code and line.
Json FindingsAsSarif(const std::vector<Finding>& findings, std::span<const Rule> rules,
                     const Json& fixes = Json::array());

}  // namespace sibyl::interface
