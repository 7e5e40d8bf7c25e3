// SPDX-License-Identifier: Apache-2.0
// The form of a knowledge file (struct/…): is the stamp true, does the text
// have what it says it covers, are the definitions those that are used? What is
// counted is counted from the prose, never taken from the plan.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "draft/draft.h"
#include "gate/citations.h"
#include "statement/verdict.h"

namespace sibyl::gate {

/// "5 of 6 points covered"
struct StampCount {
  std::size_t part = 0;
  std::size_t whole = 0;
};

/// The number before `what` in "… · 11 of 11 citations hold · …".
std::optional<StampCount> ReadStampCount(std::string_view stamp, std::string_view what);

/// The line below the title that says how the file was made; null when it has
/// none.
const statement::Statement* FindStamp(const statement::Statements& statements);

/// What can be told from the file alone.
std::vector<statement::Judgement> JudgeStructure(const CitedFile& file);

/// What the draft promised: sections, budgets (kept within a tenth), points.
std::vector<statement::Judgement> JudgeDraft(const CitedFile& file, const draft::Draft& draft);

}  // namespace sibyl::gate
