// SPDX-License-Identifier: Apache-2.0
// The prompts for writing a section and for correcting what failed in it.
// Passages are quoted data under keys, never instructions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "draft/extract/gather.h"
#include "draft/extract/passage_keys.h"
#include "draft/model/model_text.h"
#include "draft/model/reading_prompt.h"
#include "model/question.h"

namespace sibyl::draft {

/// Part of the stamp and of the fingerprint of a run; increased with every
/// change of the prompts.
inline constexpr int kPromptVersion = 4;

struct SectionRequest {
  std::string_view title;  ///< Of the page.
  const GatheredSection& section;
  const std::vector<PointPassages>& passages;
  std::size_t lines = 0;  ///< The most that it may have.
};

/// Points are numbered as in the section; those without passages are omitted.
model::Question SectionQuestion(const SectionRequest& request, PassageKeys& keys);

/// Repeats a request whose answer had none of the lines that separate points.
model::Question AgainQuestion(const model::Question& question, std::string_view answer);

/// Asks for the rest of an answer that ended at its limit in the text of this point.
model::Question ContinueQuestion(const model::Question& question, std::string_view answer,
                                 std::size_t point);

/// A failed statement, and why: every reason once.
struct Objection {
  std::size_t point = 0;
  const ModelUnit* unit = nullptr;
  std::string before = {};  ///< The statement before it, or the head of its table.
  std::vector<std::string> reasons;
  bool is_head = false;  ///< The head of a table, and `before` is its first row.
};

struct RepairRequest {
  std::string_view title;  ///< Of the page.
  const GatheredSection& section;
  const std::vector<Objection>& objections;
  /// Lines that the writer asked for, by point; not empty for points that are to be written
  /// once more.
  const std::vector<PointPassages>& more;
  /// What the points were written from: shown for statements that cite none of it.
  const std::vector<PointPassages>& passages;
  std::size_t lines = 0;  ///< The most that points written once more may have.
};

/// Asks for the failed statements alone, with the passages that they cite, and
/// for the points that wanted more lines, with these.
model::Question RepairQuestion(const RepairRequest& request, PassageKeys& keys);

}  // namespace sibyl::draft
