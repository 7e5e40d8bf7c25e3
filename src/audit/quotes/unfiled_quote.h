// SPDX-License-Identifier: Apache-2.0
// Quotations that a text attributes to a project or its documentation without naming a file: "the
// README says: …". One that a pinned source has but for a word or two is altered, whether or not
// the text says whom it quotes; one that is attributed to a pinned project and occurs nowhere is
// invented.
#pragma once

#include <cstddef>
#include <cstdint>
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

enum class QuoteForm : std::uint8_t {
  kMarks,  ///< In quotation marks.
  kBlock,  ///< A block, which may be a note of the writer.
};

/// `before`: the words that introduce the quotation. Nothing if it is too short, or if it is
/// neither attributed nor nearly a sentence of a source.
std::optional<UnfiledQuote> JudgeUnfiledQuote(std::string_view quote, std::string_view before,
                                              QuoteForm form, const Witness& witness,
                                              const Topic& topic);

}  // namespace sibyl::audit
