// SPDX-License-Identifier: Apache-2.0
// Switches in prose: "logging is disabled by default". A statement that says "is
// on by default" of the same thing is wrong, even if it goes on to say how to
// switch it off.
#pragma once

#include <optional>
#include <string>

#include "support/clauses/line_sentences.h"
#include "support/evidence_text.h"
#include "support/read_statement.h"

namespace sibyl::support {

/// The word of the lines, such as "disabled", that is the opposite of what the
/// statement says of the same thing; nothing if there is none.
std::optional<std::string> FindOtherSwitch(const ReadStatement& read, const EvidenceText& evidence,
                                           const LineSentences& sentences);

}  // namespace sibyl::support
