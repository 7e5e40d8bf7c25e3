// SPDX-License-Identifier: Apache-2.0
// Quotations and quoted code of cited statements, against the lines they cite
// (quote/mismatch). A missing quotation is searched for in the rest of the
// file, and the finding says where it is.
#pragma once

#include <vector>

#include "gate/citations.h"
#include "statement/verdict.h"

namespace sibyl::gate {

/// One judgement for each block quote, each block of code and each quotation of
/// four words or more inside a cited sentence. A block whose info string
/// contains "example" is the writer's own and not a quotation.
std::vector<statement::Judgement> JudgeQuotes(const CitedFile& file);

}  // namespace sibyl::gate
