// SPDX-License-Identifier: Apache-2.0
// Drafts must not rest on lines that speak to whoever writes them
// (cite/instruction): a model or an agent that did as a source told it would
// cite the order as its evidence. People who mean to write about such lines can
// do so by hand.
#pragma once

#include <vector>

#include "verify/citations.h"
#include "verify/verdict.h"

namespace sibyl::verify {

/// One failure for each statement that cites such lines; nothing for the rest.
std::vector<Judgement> JudgeInstructions(const CitedFile& file);

}  // namespace sibyl::verify
