// SPDX-License-Identifier: Apache-2.0
// Words that put two things in order: "A before B", "A takes precedence over B",
// "from A to B", "A, not B", "A relies on B". If the lines have the same kind
// of words with the two sides exchanged, the statement turns
// them around.
#pragma once

#include <string>

#include "support/evidence_text.h"
#include "support/read_statement.h"

namespace sibyl::support {

struct OrderFinding {
  std::string turned;    ///< The word whose sides are exchanged; empty: none.
  std::string doubtful;  ///< The same, with less to show for it.
};

OrderFinding CompareOrder(const ReadStatement& read, const EvidenceText& evidence);

}  // namespace sibyl::support
