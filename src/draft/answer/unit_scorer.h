// SPDX-License-Identifier: Apache-2.0
// How well the units of a passage answer a question: by the words that they and
// their place have, their shape, and whether the place is the home of a name.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "draft/answer/answer.h"
#include "draft/answer/candidates.h"
#include "draft/answer/matcher.h"
#include "draft/answer/subject.h"
#include "draft/answer/unit_score.h"

namespace sibyl::draft {

struct ScoredUnit {
  std::size_t passage = 0;  ///< Of the candidates.
  Unit unit;
  double score = 0;
  double met = 0;
  double names_met = 0;
  double home = 1;          ///< Above 1: the page or the declaration of a name of the question.
  bool is_at_home = false;  ///< Its heading or file is a name of the question, or it declares one.
  double telling = 1;       ///< 1 for sentences, less for names and bare code.
  double sureness = 0;      ///< How likely it is an answer at all.
  TermMask terms = 0;       ///< In the unit.
  TermMask similar = 0;     ///< By other words only.
  TermMask place = 0;       ///< In its heading, introduction or path.
  double pairs = 0;         ///< Neighbours of the question that are neighbours here.
  double elsewhere = 0;     ///< The share that only the rest of its passage has.
  bool opens = false;       ///< Begins with a rare word of the question.
  bool is_about = true;     ///< The subject that was given is met.
  bool explains = false;    ///< It says first what that subject is.
  bool is_asked_row = false;  ///< The row of a table whose first cell is asked for.
  UnitFeatures features = {};
};

/// Code that uses what others define.
bool IsUse(std::string_view path);

class UnitScorer {
 public:
  /// Borrows its arguments. Without a subject every unit is about it.
  UnitScorer(const Question& question, const AnswerInputs& inputs, TermReader& reader,
             const Subject* subject = nullptr);

  const Matcher& matcher() const { return matcher_; }
  Matcher& matcher() { return matcher_; }
  /// Sources that the question names.
  const std::set<std::string>& named() const { return named_; }
  /// What a point of a plan is about; null for a question.
  SubjectCheck* topic() { return topic_ ? &*topic_ : nullptr; }

  /// Adds the units of the candidate, whose number is `at`.
  void Score(const CandidatePassage& candidate, std::size_t at, std::vector<ScoredUnit>& scored);

 private:
  struct Masks {
    TermMask own = 0;
    TermMask lead = 0;
    TermMask heading = 0;
    TermMask path = 0;
    TermMask similar = 0;
  };

  double Prior(const index::Hit& hit) const;
  void CheckSubject(bool is_prose, ScoredUnit& one);
  bool IsVariant(std::string_view path) const;
  bool IsAtHome(const index::Hit& hit, const Unit& unit) const;
  bool IsHomeOfAnother(const index::Hit& hit) const;
  double HomeFactor(const index::Hit& hit, const Unit& unit, const TextMatch& own) const;
  bool IsAskedFor(std::string_view name) const;
  double PhraseFit(const index::Hit& hit, const Unit& unit) const;
  double Met(const Masks& masks) const;
  double NamesMet(TermMask mask) const;

  const Question* question_;
  const AnswerInputs* inputs_;
  Matcher matcher_;
  std::optional<SubjectCheck> topic_;
  std::string lower_;  // the question
  std::set<std::string> named_;
};

}  // namespace sibyl::draft
