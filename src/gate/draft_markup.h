// SPDX-License-Identifier: Apache-2.0
// What a draft must not contain because a reader does not see it, or sees it
// differently: raw HTML and comments (text/html), invisible characters, front
// matter, unused link definitions and words in footnote definitions
// (text/hidden), words that mix alphabets (text/script), struck-out words
// (text/struck). Existing pages may have them: people write them, and so does
// the program (managed blocks).
#pragma once

#include <vector>

#include "gate/citations.h"
#include "statement/verdict.h"

namespace sibyl::gate {

/// One failure for each.
std::vector<statement::Judgement> JudgeDraftMarkup(const CitedFile& file);

}  // namespace sibyl::gate
