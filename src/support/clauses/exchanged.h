// SPDX-License-Identifier: Apache-2.0
// Two names or numbers that change places: "`A` is read, `B` is written" where
// the lines have `A` beside "written" and `B` beside "read".
#pragma once

#include <cstddef>
#include <optional>

#include "support/evidence_text.h"
#include "support/read_statement.h"

namespace sibyl::support {

/// The tokens of the statement that are exchanged.
struct Exchange {
  std::size_t first = 0;
  std::size_t second = 0;
};

/// Only if words on both sides are clearly nearer to the other one, and no word
/// is clearly nearer to its own. parallels.h has what is less clear.
std::optional<Exchange> FindExchange(const ReadStatement& read, const EvidenceText& evidence);

}  // namespace sibyl::support
