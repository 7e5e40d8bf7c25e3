// SPDX-License-Identifier: Apache-2.0
// Whether a unit has what the question wants in so many words: "Default: 5" for a
// default, "8 blocks" for "how many blocks", "since 3.18", three quoted values.
#pragma once

#include <string>
#include <string_view>

#include "draft/answer/question/question.h"
#include "draft/answer/units.h"

namespace sibyl::draft {

/// From 0, nothing of the kind, to 1. Takes linear time.
double TellingShape(const Question& question, const Unit& unit);

/// The share of a question's words that a text has in a row, if they are five or more: the text
/// of an error is quoted where its reason is told. Reads so much of both.
double QuotedShare(std::string_view question, std::string_view text);

/// "A generator expression" of "A generator expression is …"; empty if the text
/// does not begin with a subject and what it is or does.
std::string_view OpeningSubject(std::string_view text);

}  // namespace sibyl::draft
