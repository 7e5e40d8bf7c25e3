// SPDX-License-Identifier: Apache-2.0
// The offline writer: a guide made of what the sources themselves say. Per point
// a heading in the plan's words, sentences quoted exactly, the decisive lines of
// code, a table of options, and where else to look; every one with its receipt.
// It says nothing of its own about the world.
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
  std::string program = "sibyl 0.1";  ///< Who made it, as the stamp says.
  Time time;                          ///< What the stamp is dated.
  /// Blocks that the gate refused (WrittenBlock::key): something else is shown.
  std::set<std::string> left_out = {};
};

struct ExtractInputs {
  const plan::Plan& plan;
  const plan::Part& part;
  const index::Searcher& searcher;  ///< Says how rare a word is.
  const Gathered& gathered;
};

WrittenPage Extract(const ExtractInputs& inputs, const ExtractOptions& options);

}  // namespace sibyl::draft
