// SPDX-License-Identifier: Apache-2.0
// Relative links and anchors of a page: do their targets exist (link/broken)?
// External links are not checked and are undecidable.
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
