// SPDX-License-Identifier: Apache-2.0
// Drafts must not cite a prompt injection (cite/instruction): a model or an
// agent that followed one would cite it as evidence. People who write about
// such text can cite it by hand.
#pragma once

#include <string>
#include <vector>

#include "gate/citations.h"
#include "statement/verdict.h"

namespace sibyl::gate {

/// The first line of the prompt injection that the cited lines contain; empty when
/// they contain none, or could not be read.
std::string CitedInstruction(const Receipt& receipt);

/// One failure for each statement that cites such lines; nothing for the rest.
std::vector<statement::Judgement> JudgeInstructions(const CitedFile& file);

}  // namespace sibyl::gate
