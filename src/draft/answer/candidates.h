// SPDX-License-Identifier: Apache-2.0
// The passages in which the answer to a question may be.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "draft/answer/question/question.h"
#include "index/rank/searcher.h"

namespace sibyl::draft {

struct CandidatePassage {
  index::Hit hit;   ///< Of a card, its lines, with its name as heading.
  double rank = 0;  ///< 1 for the best, less for the others.
  bool is_card = false;
  bool is_test = false;
  std::string text = {};  ///< Its lines.
};

/// Where to look besides everywhere.
struct CandidateScope {
  std::string_view context = {};       ///< What the question is about at large.
  std::set<std::string> sources = {};  ///< Those that the question names.
};

/// Passages by the question, by what it is about, and by each of its names; cards
/// by name, value and words. Best first.
std::vector<CandidatePassage> CandidatesOf(const Question& question, const CandidateScope& scope,
                                           const index::Searcher& searcher);

/// The passages have no text until it is read.
void ReadText(const index::Searcher& searcher, CandidatePassage& candidate);

}  // namespace sibyl::draft
