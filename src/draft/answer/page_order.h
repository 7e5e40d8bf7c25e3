// SPDX-License-Identifier: Apache-2.0
// The order of what the oracle's own pages have: rows and headings that ask the question come
// first, and a row is shown with its table.
#pragma once

#include <optional>
#include <vector>

#include "draft/answer/asked_row.h"
#include "draft/answer/candidates.h"
#include "draft/answer/matcher.h"
#include "draft/answer/unit_scorer.h"

namespace sibyl::draft {

class PageOrder {
 public:
  /// Borrows its arguments, and adds candidates that rows are found in.
  PageOrder(const Question& question, const index::Searcher& searcher,
            std::vector<CandidatePassage>& candidates, Matcher& matcher)
      : question_(&question), searcher_(&searcher), candidates_(&candidates), matcher_(&matcher) {}

  /// Whether a row or a heading asks what is asked. There must be a unit, best first.
  bool Apply(std::vector<ScoredUnit>& scored);

 private:
  void WidenRows(std::vector<ScoredUnit>& scored);
  void PreferRows(std::vector<ScoredUnit>& scored);
  bool PreferHeadings(std::vector<ScoredUnit>& scored);
  std::size_t WholePassage(std::size_t of);
  std::optional<AskedRow> RowIn(std::size_t passage, const Unit& unit);

  const Question* question_;
  const index::Searcher* searcher_;
  std::vector<CandidatePassage>* candidates_;
  Matcher* matcher_;
};

}  // namespace sibyl::draft
