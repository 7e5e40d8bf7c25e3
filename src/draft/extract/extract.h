// SPDX-License-Identifier: Apache-2.0
// The offline writer: a page made of quotations from the sources. For each
// point a heading in the plan's words, sentences quoted exactly, the relevant
// lines of code, a table of options, and further references, each with its
// citation. It adds no statements of its own.
//
// The same inputs give the same bytes. Line budgets are kept and never padded.
#pragma once

#include <set>
#include <string>

#include "base/clock.h"
#include "draft/extract/gather.h"
#include "draft/page_frame.h"

namespace sibyl::draft {

struct ExtractOptions {
  std::string program = "sibyl 0.1";  ///< The program in the stamp.
  Time time;                          ///< The date in the stamp.
  /// Blocks that the gate refused (WrittenBlock::key): something else is shown.
  std::set<std::string> left_out = {};
};

struct ExtractInputs {
  const plan::Plan& plan;
  const plan::Part& part;
  const index::Searcher& searcher;  ///< For the rarity of words.
  const Gathered& gathered;
};

WrittenPage Extract(const ExtractInputs& inputs, const ExtractOptions& options);

}  // namespace sibyl::draft
