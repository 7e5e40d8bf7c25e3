// SPDX-License-Identifier: Apache-2.0
// Does the sentence of the lines that a clause of the statement repeats say it,
// or deny it? The clause is compared with the sentence that has most of its
// words: what one of them denies and the other asserts is an inversion.
#pragma once

#include <string>
#include <vector>

#include "support/clauses/line_sentences.h"
#include "support/evidence_text.h"
#include "support/read_statement.h"

namespace sibyl::support {

struct ClauseSense {
  std::string inverted;             ///< What the lines say the other way; empty: nothing.
  std::vector<std::string> doubts;  ///< What may be the other way.
};

ClauseSense CompareSense(const ReadStatement& read, const EvidenceText& evidence,
                         const LineSentences& sentences);

}  // namespace sibyl::support
