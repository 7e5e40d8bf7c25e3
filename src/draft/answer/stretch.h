// SPDX-License-Identifier: Apache-2.0
// A unit that answers may need its neighbour: the paragraph after it gives the reason, the
// one before it has the name, the next item has the value.
#pragma once

#include <string_view>

#include "draft/answer/candidates.h"
#include "draft/answer/matcher.h"
#include "draft/answer/question/question.h"
#include "draft/answer/units.h"

namespace sibyl::draft {

/// Whether two units of a file are so near each other that they are read together. Their lines
/// are those of the file.
bool AreNeighbours(const Unit& one, const Unit& other);

/// Both with what is between them, as the lines of the document are written.
Unit JoinNeighbours(const Unit& one, const Unit& other, std::string_view document);

class UnitStretcher {
 public:
  /// Borrows its arguments.
  UnitStretcher(const Question& question, Matcher& matcher)
      : question_(&question), matcher_(&matcher) {}

  /// The unit with its neighbours in the passage that add words of the question, have what it
  /// wants, or go on with what the unit says. Its lines are those of the passage.
  Unit Stretch(const CandidatePassage& candidate, const Unit& unit);

  /// The unit with the paragraph after it, if there is one and it is not the next section's.
  Unit WithNext(const CandidatePassage& candidate, const Unit& unit);

 private:
  std::vector<Unit> UnitsOf(const CandidatePassage& candidate) const;
  bool Adds(const Unit& unit, const Unit& other);

  const Question* question_;
  Matcher* matcher_;
  TermMask place_ = 0;  // in the heading
};

}  // namespace sibyl::draft
