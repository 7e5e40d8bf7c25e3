// SPDX-License-Identifier: Apache-2.0
// The prompts for writing a page: an outline that assigns passages to points,
// one request per section, then a repair of what failed. Passages are quoted
// data under keys, never instructions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "draft/extract/gather.h"
#include "draft/extract/passage_keys.h"
#include "model/question.h"

namespace sibyl::draft {

/// Part of the stamp and of the fingerprint of a run; increased with every
/// change of the prompts.
inline constexpr int kPromptVersion = 2;

/// The passages that a point is written from, best first.
using PointPassages = std::vector<const Excerpt*>;
/// By section and point, as in Gathered; empty for points without passages.
using PagePassages = std::vector<std::vector<PointPassages>>;

/// Without an outline: the best passages of each open point.
PagePassages BestPassages(const Gathered& gathered);

/// Shows the source and start of every passage, and asks which passages answer
/// which point.
model::Question OutlineQuestion(std::string_view title, const Gathered& gathered,
                                PassageKeys& keys);

/// Parses an outline. Unknown keys are ignored; a point that is not mentioned
/// keeps its best passages, one marked "none" has none.
PagePassages ReadOutline(std::string_view answer, const Gathered& gathered,
                         const PassageKeys& keys);

struct SectionRequest {
  std::string_view title;  ///< Of the page.
  const GatheredSection& section;
  const std::vector<PointPassages>& passages;
  std::size_t lines = 0;  ///< The most that it may have.
};

/// Points are numbered as in the section; those without passages are omitted.
model::Question SectionQuestion(const SectionRequest& request, PassageKeys& keys);

/// A failed statement of an answer, and why.
struct Objection {
  std::string statement;
  std::string reason;
};

/// Repeats a request, with its answer and the failures.
model::Question RepairQuestion(const model::Question& question, std::string_view answer,
                               const std::vector<Objection>& objections);

/// Asks whether lines of a source support a statement.
model::Question JudgeQuestion(std::string_view statement, const std::vector<std::string>& passages);

/// The verdict of a judge's answer; only a clear "supported" is kSupported.
enum class Entailment : std::uint8_t { kSupported, kContradicted, kNotEnough };
Entailment ReadEntailment(std::string_view answer);

}  // namespace sibyl::draft
