// SPDX-License-Identifier: Apache-2.0
// Relative links and anchors of a page: do they lead somewhere (link/broken)?
// What is on the network is not asked: those links are not decidable here.
#pragma once

#include <string_view>
#include <vector>

#include "gate/citations.h"
#include "gate/oracle_pages.h"
#include "statement/verdict.h"

namespace sibyl::gate {

/// One judgement for each different target. `path` is the page's own, from the
/// root of the oracle.
std::vector<statement::Judgement> JudgeLinks(const CitedFile& file, std::string_view path,
                                             const OraclePages& pages);

}  // namespace sibyl::gate
