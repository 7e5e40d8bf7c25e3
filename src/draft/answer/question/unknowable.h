// SPDX-License-Identifier: Apache-2.0
// Questions that sources do not answer, however many words they share: matters of taste, what
// will be released when, and names that occur nowhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draft/answer/question/question.h"
#include "index/rank/searcher.h"

namespace sibyl::draft {

/// What a question wants to have judged.
struct AskedJudgement {
  bool is_taste = false;           ///< "Should I learn X", "the best book": nothing answers it.
  bool wants_date = false;         ///< "Release date of X": an answer has a date.
  bool wants_winner = false;       ///< "Is A better than B": an answer compares both.
  std::vector<std::string> sides;  ///< In lower case; may be empty.
};

AskedJudgement ReadJudgement(std::string_view question);

/// Whether a text in lower case has what such a question wants.
bool Decides(const AskedJudgement& asked, std::string_view lower);

/// The names of a question, and the versions of products ("CUDA 15"), that no source and no page
/// has. `places`: searchers; those without a source count for nothing.
std::vector<std::string> NamesOfNothing(const Question& question,
                                        const std::vector<const index::Searcher*>& places);

}  // namespace sibyl::draft
