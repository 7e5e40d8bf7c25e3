// SPDX-License-Identifier: Apache-2.0
// Two things of one kind in a statement (names of different clauses, numbers,
// opposites) that could change places: "`A` is read and `B` is written". The
// lines have to connect each with its own words more closely than with those
// of the other; otherwise nothing in them says which is which.
#pragma once

#include <cstddef>
#include <optional>

#include "support/evidence_text.h"
#include "support/read_statement.h"

namespace sibyl::support {

/// Tokens of the statement.
struct Interchangeable {
  std::size_t first = 0;
  std::size_t second = 0;
};

/// The two that the lines connect least as the statement does; nothing if they
/// support all. A doubt, never a refusal: code and prose order words too freely.
std::optional<Interchangeable> FindInterchangeable(const ReadStatement& read,
                                                   const EvidenceText& evidence);

}  // namespace sibyl::support
