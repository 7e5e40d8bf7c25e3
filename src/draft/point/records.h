// SPDX-License-Identifier: Apache-2.0
// What the oracle has measured or read from artifacts, as answers to questions and to points.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draft/answer/question/question.h"
#include "draft/point/point.h"
#include "evidence/citation.h"

namespace sibyl::draft {

struct Record {
  std::string words;     ///< The measurement or the fact as text.
  std::string identity;  ///< The lab and its variant, or the path of the artifact.
  std::string series;    ///< The same of records that differ in their parameters only.
  std::string unit;      ///< Of a measurement.
  std::string label;     ///< Of its footnote.
  evidence::Citation citation;
};

/// The words that a question asks for, those of its frame apart.
class RecordWords {
 public:
  explicit RecordWords(const Question& question);

  /// The share of the words that the text has; 0 if it does not have one of `identity`, or if
  /// there are too few.
  double ShareIn(std::string_view text, std::string_view identity) const;
  std::size_t CountIn(std::string_view text) const;

 private:
  std::vector<std::string> words_;
};

/// From this share on a record answers.
inline constexpr double kLeastOfRecord = 0.75;

/// At most two: those that have nearly all words of the point; or, if it asks how fast something
/// is, those whose lab or variant the point, its section or its page names.
std::vector<Record> RecordsOf(const PlanPoint& point, const std::vector<Record>& records);

}  // namespace sibyl::draft
