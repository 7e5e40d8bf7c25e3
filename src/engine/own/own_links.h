// SPDX-License-Identifier: Apache-2.0
// Relative links and anchors of a repository's documents, as the gate judges
// them; links that only a site generator can resolve are undecidable.
#pragma once

#include <vector>

#include "engine/own/own_paths.h"
#include "gate/oracle_pages.h"
#include "statement/verdict.h"

namespace sibyl::engine {

std::vector<statement::Judgement> JudgeOwnLinks(const OwnDocument& document,
                                                const gate::OraclePages& pages);

}  // namespace sibyl::engine
