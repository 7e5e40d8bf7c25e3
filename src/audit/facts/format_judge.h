// SPDX-License-Identifier: Apache-2.0
// Checks the largest values of number formats against the table of the field: "E4M3 reaches 448",
// "`Format.E5M2` has a maximum of 57344".
#pragma once

#include <string_view>
#include <vector>

#include "audit/facts/field_judge.h"

namespace sibyl::audit {

/// Of a sentence, an item or a cell. Takes linear time.
std::vector<JudgedFact> JudgeFormats(std::string_view text);

}  // namespace sibyl::audit
