// SPDX-License-Identifier: Apache-2.0
// Ranks the units that were found for a question of a person, and says whether the
// best are likely to answer it. Points of plans keep the score of unit_scorer.h.
#pragma once

#include <vector>

#include "draft/answer/answer.h"
#include "draft/answer/candidates.h"
#include "draft/answer/unit_score.h"
#include "draft/answer/unit_scorer.h"

namespace sibyl::draft {

/// A word that names a source says where to look, not what for.
Question WithoutSources(Question question, const evidence::Lock& lock);

/// From when on the best is taken for an answer.
struct SureLimits {
  double chance = 0.61;           ///< At least; decision 0176.
  double rare_missing = 0.75;     ///< At most: the share of the question's rarest words.
  bool needs_all_of_few = false;  ///< A question about one or two things has to be met whole.
};

/// Pages were written to answer questions: what is nearest on them more often does.
inline constexpr SureLimits kSureOfPages = {
    .chance = 0.5, .rare_missing = 0.66, .needs_all_of_few = true};

/// What pages do not answer, though they were written about the same subjects, sources do more
/// rarely than what nobody wrote about.
inline constexpr SureLimits kSureAfterPages = {.chance = 0.7, .needs_all_of_few = true};

class UnitRanker {
 public:
  /// Borrows its arguments.
  UnitRanker(const Question& question, const AnswerInputs& inputs,
             const std::vector<CandidatePassage>& candidates, UnitScorer& scorer);

  /// Looks closely at the units that may become the best, leaves out the others, and
  /// orders them, best first.
  void Rank(std::vector<ScoredUnit>& scored);

  /// Whether the best that Rank found is likely to answer: it has what was asked, and
  /// stands out.
  bool IsSure(const std::vector<ScoredUnit>& ranked, const SureLimits& limits = {}) const;

  /// Whether the best has enough of the question to be an answer at all.
  bool IsPossible(const std::vector<ScoredUnit>& ranked, const SureLimits& limits = {}) const;

  /// What tells whether the best are likely to answer.
  ChanceFeatures ChanceFeaturesOf(const std::vector<ScoredUnit>& ranked) const;

 private:
  /// Units that do not overlap a better one.
  std::vector<const ScoredUnit*> Apart(const std::vector<ScoredUnit>& ranked,
                                       std::size_t most) const;
  bool LacksOneOfFew(const ScoredUnit& one) const;
  UnitFeatures PlaceFeatures(const CandidatePassage& candidate);
  UnitFeatures FeaturesOf(const ScoredUnit& one, const UnitFeatures& place);
  bool HasBothSides(const ScoredUnit& one);
  double ExactShare(const CandidatePassage& candidate, const Unit& unit) const;

  const Question* question_;
  const AnswerInputs* inputs_;
  const std::vector<CandidatePassage>* candidates_;
  UnitScorer* scorer_;
};

}  // namespace sibyl::draft
