// SPDX-License-Identifier: Apache-2.0
// Where the sentences of a block end, and its clauses after a citation.
#pragma once

#include <cstddef>
#include <vector>

#include "statement/gathered.h"

namespace sibyl::statement {

struct StatementEnd {
  std::size_t at = 0;  ///< In the text of the block.
  /// The next statement goes on with the same sentence: after a semicolon or a
  /// dash after a mark.
  bool is_clause = false;
};

/// In order; the last is the end of the text.
std::vector<StatementEnd> FindStatementEnds(const Gathered& gathered);

}  // namespace sibyl::statement
