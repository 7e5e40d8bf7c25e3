// SPDX-License-Identifier: Apache-2.0
// Whether a unit has the shape of an answer: a value for a default, a command or
// a call for "how", a number for "how much".
#pragma once

#include <cstddef>

#include "draft/answer/question/question.h"
#include "draft/answer/units.h"

namespace sibyl::draft {

/// 1 if it has the shape, less if it has not: a default without a value is no
/// answer, a reason may be given without "because".
double ShapeFit(Want want, const Unit& unit);

/// How many words a unit has, and how many of them are ordinary words of sentences.
struct WordCount {
  std::size_t words = 0;
  std::size_t plain = 0;
};
WordCount CountUnitWords(const Unit& unit);

/// 1 for sentences, less for lists of names, data and bare code: what uses a
/// name does not explain it.
double Telling(Want want, const Unit& unit, const WordCount& count);

/// Text that only announces what follows, or points elsewhere: never an answer.
bool IsHollow(const Unit& unit);

}  // namespace sibyl::draft
