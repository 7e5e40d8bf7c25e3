// SPDX-License-Identifier: Apache-2.0
// Statements that cite the absence of a word from a source. Such a citation
// carries that the name does not exist or occur there, and nothing else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/receipt.h"
#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::gate {

struct AbsenceJudgement {
  statement::Verdict verdict = statement::Verdict::kSupported;
  std::string code;
  std::string message;
};

/// Nothing if none of the receipts is an absence, or if others are cited too
/// and the statement names the word and denies something: then the cited texts
/// are compared as usual.
std::optional<AbsenceJudgement> JudgeAbsence(const statement::Statement& statement,
                                             const std::vector<const Receipt*>& receipts);

}  // namespace sibyl::gate
