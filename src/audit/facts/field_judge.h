// SPDX-License-Identifier: Apache-2.0
// Checks claims about the field against its table (field/field.h): contradicted if the form is
// clear and the row has another value, supported if it agrees.
#pragma once

#include <cstddef>
#include <vector>

#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::audit {

struct JudgedFact {
  statement::Judgement judgement;  ///< Without its place.
  std::size_t offset = 0;          ///< Of the value, in the statement's text.
};

/// For the statement of this number.
std::vector<JudgedFact> JudgeFieldFacts(const statement::Statements& statements,
                                        std::size_t number);

}  // namespace sibyl::audit
