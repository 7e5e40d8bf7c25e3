// SPDX-License-Identifier: Apache-2.0
// Abbreviations that a text spells out, "TMA (Thread Memory Access)", against
// how the sources spell them out.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "audit/witness.h"
#include "statement/verdict.h"

namespace sibyl::audit {

struct SpelledOut {
  std::string acronym;
  std::string words;
  std::size_t offset = 0;  ///< Of the acronym or its words, whichever comes first.
  std::size_t end = 0;

  bool operator==(const SpelledOut&) const = default;
};

/// "TMA (Tensor Memory Accelerator)" and "Tensor Memory Accelerator (TMA)", in
/// the order of the text.
std::vector<SpelledOut> FindSpelledOut(std::string_view text);

/// Contradicted only if the sources agree on another expansion that shares a
/// word with this one: otherwise it may be a different thing with the same
/// abbreviation.
statement::Judgement JudgeSpelledOut(const SpelledOut& claim, const Witness& witness);

}  // namespace sibyl::audit
