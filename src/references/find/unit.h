// SPDX-License-Identifier: Apache-2.0
// A statement with the files and the line numbers in it. Part of find.cc.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "references/find/claim.h"
#include "references/find/file_mention.h"
#include "references/find/scan.h"
#include "statement/statement.h"

namespace sibyl::references {

struct Unit {
  const statement::Statement* statement = nullptr;
  std::vector<FileMention> files;
  std::vector<Hit> hits;
  std::set<std::size_t> guessed;   ///< Hits whose file is only the last one cited before.
  std::vector<std::string> paths;  ///< Of each hit; empty: unknown.
  std::vector<NamedPlace> names;
  std::vector<TextSpan> excluded;  ///< Sorted: files and citations, which are no names.
};

/// Where a hit is in the text of the statement; for a link, its text.
TextSpan SpanOf(const Unit& unit, const Hit& hit);

/// [the parser](../src/parser.rs) names a file too.
void AddLinkedFiles(Unit& unit);

/// `my dir/föö.rs:10`: a path with blanks or other letters, if the code is nothing
/// but a file that the repository has, and numbers.
void AddSpacedFiles(Unit& unit, const IsKnownFile& is_known);

/// Links to lines, with their paths.
void AddLinks(Unit& unit);

/// Names and what is excluded from them; after all hits are known.
void AddNames(Unit& unit);

/// Where the text of a block starts: after the indent and the mark of an item.
/// `line` is the source from the first line of the block on.
std::size_t ColumnOf(std::string_view line);

}  // namespace sibyl::references
