// SPDX-License-Identifier: Apache-2.0
// Absolute words: "always", "all", "every", "never", "whatever". Where the lines give
// a condition or a possibility, or say it of some, the statement claims too much.
#pragma once

#include <string>
#include <vector>

#include "support/evidence_text.h"
#include "support/read_statement.h"

namespace sibyl::support {

struct Overclaim {
  std::string word;                   ///< The lines limit what it is said of; empty: none.
  std::vector<std::string> doubtful;  ///< Absolute words that the lines do not have.
};

Overclaim FindOverclaim(const ReadStatement& read, const EvidenceText& evidence);

}  // namespace sibyl::support
