// SPDX-License-Identifier: Apache-2.0
// The form of a knowledge file (struct/…): is the stamp correct, does the text
// cover what it claims, are all definitions used? Counts are made from the
// text, never taken from the plan.
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

/// The line under the title that says how the file was made; null if there is
/// none.
const statement::Statement* FindStamp(const statement::Statements& statements);

/// Checks that need only the file.
std::vector<statement::Judgement> JudgeStructure(const CitedFile& file);

/// Checks against the plan: sections, budgets (within a tenth), points.
std::vector<statement::Judgement> JudgeDraft(const CitedFile& file, const draft::Draft& draft);

}  // namespace sibyl::gate
