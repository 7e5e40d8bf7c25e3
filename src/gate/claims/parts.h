// SPDX-License-Identifier: Apache-2.0
// The parts of a sentence that a reader takes for claims of their own: what follows a
// semicolon or a dash, what is in brackets, a relative clause, a label before a colon.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "statement/statement.h"

namespace sibyl::gate {

enum class PartKind : std::uint8_t {
  kClause,       ///< After a dash, an ellipsis or an abbreviation.
  kIndependent,  ///< After a semicolon.
  kBracket,
  kRelative,  ///< ", whose only limit is the disk,"
  kLabel,     ///< "Recommended for servers: it works …"
};

struct SentencePart {
  statement::Statement text;
  PartKind kind = PartKind::kClause;
};

/// The bytes of a statement as a statement of the same place.
statement::Statement PartOf(const statement::Statement& sentence, std::size_t begin,
                            std::size_t end);

std::vector<SentencePart> PartsOf(const statement::Statement& sentence);

}  // namespace sibyl::gate
