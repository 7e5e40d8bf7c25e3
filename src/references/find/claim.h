// SPDX-License-Identifier: Apache-2.0
// What a sentence, an item or a row of a table says about the lines it cites:
// symbols, pieces of code, quotations.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "references/reference.h"
#include "statement/statement.h"

namespace sibyl::references {

/// A name with its place in the text of the statement.
struct NamedPlace {
  ClaimedName name;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Bytes [begin, end) of a statement's text.
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The names in a statement, in order, except those inside `excluded` (sorted):
/// paths and citations.
std::vector<NamedPlace> NamesIn(const statement::Statement& statement,
                                const std::vector<TextSpan>& excluded);

/// Lines of a quoted block of code that are long enough to be recognised; at most 12.
std::vector<ClaimedName> QuotedLines(std::string_view code);

/// One space for each run of blanks; none at the ends.
std::string SqueezeBlanks(std::string_view text);

}  // namespace sibyl::references
