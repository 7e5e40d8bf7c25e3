// SPDX-License-Identifier: Apache-2.0
// Quotations and quoted code of cited statements, against the lines they cite
// (quote/mismatch). What is not there is looked for in the rest of the file:
// the finding says where it is.
#pragma once

#include <vector>

#include "gate/citations.h"
#include "statement/verdict.h"

namespace sibyl::gate {

/// One judgement for each block quote, each block of code and each quotation of
/// four words or more inside a sentence that has a receipt. A block whose info
/// string has the word "example" is the writer's own and no quotation.
std::vector<statement::Judgement> JudgeQuotes(const CitedFile& file);

}  // namespace sibyl::gate
