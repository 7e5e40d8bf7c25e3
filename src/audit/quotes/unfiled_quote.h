// SPDX-License-Identifier: Apache-2.0
// Quotations that a text attributes to a project or its documentation without naming a file: "the
// README says: …". One that no pinned source has, but for a word or two, is altered; one that is
// attributed to a pinned project and occurs nowhere is invented.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "audit/family.h"
#include "audit/witness.h"
#include "statement/verdict.h"

namespace sibyl::audit {

struct UnfiledQuote {
  statement::Judgement judgement;
  std::size_t differs = 0;  ///< Where an altered quotation begins to differ.
};

/// `before`: the words that introduce the quotation. Nothing if it is too short or not attributed.
std::optional<UnfiledQuote> JudgeUnfiledQuote(std::string_view quote, std::string_view before,
                                              const Witness& witness, const Topic& topic);

}  // namespace sibyl::audit
