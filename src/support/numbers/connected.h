// SPDX-License-Identifier: Apache-2.0
// Is a number of the statement that of another definition? Lines that define
// `connectRetries = 60` and `readRetries = 30` have both numbers; the words around
// the number in the statement say which of the two is meant.
#pragma once

#include <optional>
#include <string>

#include "support/clauses/line_sentences.h"
#include "support/evidence_text.h"
#include "support/read_statement.h"

namespace sibyl::support {

struct OtherNumber {
  std::string said;
  std::string there;  ///< The number that the lines have for it.
};

/// A number that the lines give only to names with the same last word, where
/// another of these names has all of the statement's words that its own has, and
/// more. Nothing if there is none.
std::optional<OtherNumber> FindOtherNumber(const ReadStatement& read, const EvidenceText& evidence,
                                           const LineSentences& sentences);

}  // namespace sibyl::support
