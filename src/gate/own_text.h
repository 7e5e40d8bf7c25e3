// SPDX-License-Identifier: Apache-2.0
// What a draft must not contain, whatever it cites. Pages are loaded by agents
// and shown on terminals, and their titles and names come from plans and file
// names that strangers may have written.
#pragma once

#include <vector>

#include "gate/citations.h"
#include "statement/verdict.h"

namespace sibyl::gate {

/// One failure for each heading, row or open point that is a prompt injection
/// (text/instruction), and for each line
/// with a control character or one that changes the direction of text
/// (text/control). Nothing for the rest.
std::vector<statement::Judgement> JudgeOwnText(const CitedFile& file);

}  // namespace sibyl::gate
