// SPDX-License-Identifier: Apache-2.0
// What a model is asked so that it writes a page: first an outline, which
// passages serve which point, then one section after the other, then once more
// what did not hold. Passages go in as quoted data under keys; what they say is
// never an instruction.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "draft/extract/gather.h"
#include "draft/extract/passage_keys.h"
#include "model/question.h"

namespace sibyl::draft {

/// Stands in the stamp and in what a run depends on; changed with any word of
/// the prompts.
inline constexpr int kPromptVersion = 1;

/// The passages that a point is written from, best first.
using PointPassages = std::vector<const Excerpt*>;
/// By section and point, as Gathered has them; empty where nothing is asked.
using PagePassages = std::vector<std::vector<PointPassages>>;

/// Without an outline: the best passages of each open point.
PagePassages BestPassages(const Gathered& gathered);

/// Shows where every passage is from and how it begins, and asks which of them
/// serve which point.
model::Question OutlineQuestion(std::string_view title, const Gathered& gathered,
                                PassageKeys& keys);

/// What an outline chose. Keys that were not shown are passed over; a point that
/// it does not mention keeps its best passages, one that it denies has none.
PagePassages ReadOutline(std::string_view answer, const Gathered& gathered,
                         const PassageKeys& keys);

struct SectionRequest {
  std::string_view title;  ///< Of the page.
  const GatheredSection& section;
  const std::vector<PointPassages>& passages;
  std::size_t lines = 0;  ///< The most that it may have.
};

/// Points are numbered as in the section; those without passages are left out.
model::Question SectionQuestion(const SectionRequest& request, PassageKeys& keys);

/// A statement of an answer that does not hold, and why.
struct Objection {
  std::string statement;
  std::string reason;
};

/// The same question with the answer and what was wrong with it.
model::Question RepairQuestion(const model::Question& question, std::string_view answer,
                               const std::vector<Objection>& objections);

/// Whether lines of a source say what a statement says; nothing else.
model::Question JudgeQuestion(std::string_view statement, const std::vector<std::string>& passages);

/// Of a judge's answer: anything but a clear "supported" is not.
enum class Entailment : std::uint8_t { kSupported, kContradicted, kNotEnough };
Entailment ReadEntailment(std::string_view answer);

}  // namespace sibyl::draft
