// SPDX-License-Identifier: Apache-2.0
// Start here. Answers a question with whole units of the oracle's own pages and of the
// pinned sources, or says that it does not know.
#pragma once

#include <string>
#include <vector>

#include "draft/answer/question/question.h"
#include "draft/answer/unit_score.h"
#include "draft/answer/units.h"
#include "draft/extract/excerpt.h"
#include "draft/extract/known.h"
#include "draft/point/point.h"

namespace sibyl::draft {

struct AskedPoint {
  std::string text;
  std::string context;  ///< What it is about at large; may be empty.
};

struct AnswerInputs {
  const index::Searcher& searcher;
  const evidence::Lock& lock;
  const std::vector<KnowledgeFile>& knowledge;
  const index::Searcher* pages = nullptr;  ///< Of the oracle's own pages.
};

/// A unit of a source or of a page that answers.
struct AnswerUnit {
  Excerpt excerpt;  ///< The passage that it is in; of a page it has no pin.
  Unit unit;        ///< With lines of the file.
  double score = 0;
  double sureness = 0;  ///< How likely it answers: 0 to 1.
  double met = 0;       ///< The share of the question that it and its place have, by weight.
};

struct Answer {
  Question question;
  std::vector<AnswerUnit> known;     ///< Of the oracle's own pages, best first.
  std::vector<KnownPlace> pages;     ///< Where the oracle writes of it.
  std::vector<AnswerUnit> units;     ///< Best first; empty when the sources do not answer.
  std::vector<AnswerUnit> nearest;   ///< What comes nearest, when they do not.
  std::vector<std::string> missing;  ///< Words of the question that the nearest has not.
  std::vector<std::string> absent;   ///< Its names that nothing has, so that nothing answers.

  bool IsKnown() const { return !units.empty() || !known.empty(); }
};

struct AnswerOptions {
  std::size_t most = 3;  ///< Units.
};

Answer AnswerQuestion(const AskedPoint& asked, const AnswerInputs& inputs,
                      const AnswerOptions& options = {});

/// A unit with what its score is made of.
struct RankedUnit {
  std::string source;
  std::string path;
  Unit unit;  ///< With lines of the file.
  UnitFeatures features = {};
  ChanceFeatures chance = {};  ///< Of the first only.
  bool is_possible = false;    ///< Of the first: it has enough of the question.
  bool is_asked = false;       ///< Of the first, of a page: a row or a heading asks the question.
};

/// The best units for a question, best first, whether or not they answer it: weights
/// are fitted to them.
std::vector<RankedUnit> RankUnits(const Question& question, const AnswerInputs& inputs,
                                  std::size_t most);

/// The same of the oracle's own pages, in the order in which they are shown.
std::vector<RankedUnit> RankPageUnits(const Question& question, const AnswerInputs& inputs,
                                      std::size_t most);

/// What answers a point of a plan: only units that are sure and about its subject.
/// What comes nearest is given too. A comparison needs both sides.
Answer AnswerPoint(const PlanPoint& point, const AnswerInputs& inputs, TermReader& reader,
                   const AnswerOptions& options = {});

}  // namespace sibyl::draft
