// SPDX-License-Identifier: Apache-2.0
// Answers a question like a point without a plan: gathers evidence and selects
// sentences and lines in the same way, and reports what was not found.
#pragma once

#include <string>
#include <vector>

#include "draft/extract/choose.h"
#include "draft/extract/gather.h"
#include "draft/extract/known.h"

namespace sibyl::draft {

struct AskedPoint {
  std::string text;
  std::string context;  ///< What it is about at large; may be empty.
};

struct AnswerInputs {
  const index::Searcher& searcher;
  const evidence::Lock& lock;
  const std::vector<KnowledgeFile>& knowledge;
};

/// A cited sentence of a knowledge file.
struct KnownStatement {
  std::string path;
  std::size_t line = 0;
  std::string text;  ///< As the page has it, with its footnote marks.
  double score = 0;
};

struct AnsweredPoint {
  GatheredPoint point;                ///< What the choice points into.
  PointChoice choice;                 ///< Empty when the sources do not know it.
  std::vector<KnownStatement> known;  ///< Best first.
  std::vector<KnownPlace> pages;      ///< Where the oracle writes of it.

  bool IsKnown() const { return !choice.IsEmpty() || !known.empty(); }
};

AnsweredPoint AnswerQuestion(const AskedPoint& question, const AnswerInputs& inputs,
                             std::size_t lines);

}  // namespace sibyl::draft
