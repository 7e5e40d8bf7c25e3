// SPDX-License-Identifier: Apache-2.0
// In which case does it hold? "With X set to false, the file is read in chunks"
// where the lines say it of true: the sentence of the lines that has the
// consequence must have the condition with the same sign.
#pragma once

#include <optional>
#include <string>

#include "support/clauses/line_sentences.h"
#include "support/evidence_text.h"
#include "support/read_statement.h"

namespace sibyl::support {

/// The word of the condition that the lines have the other way; nothing if there is none.
std::optional<std::string> WrongCondition(const ReadStatement& read, const EvidenceText& evidence,
                                          const LineSentences& sentences);

}  // namespace sibyl::support
