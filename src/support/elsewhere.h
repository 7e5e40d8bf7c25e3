// SPDX-License-Identifier: Apache-2.0
// Whether other lines of a cited file carry a statement much better than the
// cited ones: then the citation points at the wrong place.
#pragma once

#include <cstddef>
#include <string_view>

#include "support/read_statement.h"
#include "support/tokens.h"

namespace sibyl::support {

/// Lines of a file that are not cited, and how much of a statement they have.
struct OtherLines {
  double here = 0;        ///< Share of the words that the cited lines have.
  double there = 0;       ///< Share that these lines have.
  std::size_t first = 0;  ///< Line of the file; zero: none have more.
  std::size_t last = 0;
  /// The cited lines are code, these are not: code says it with fewer of the words.
  bool is_other_kind = false;
};

/// The lines of `file` that have most of the statement's words, without the cited
/// ones. `context` is what encloses the cited lines; its words count for both.
/// Files of more than 128 KiB are not read.
OtherLines FindElsewhere(const ReadStatement& read, const EvidenceText& cited,
                         std::string_view context, std::string_view file, Tokenizer& tokenizer);

}  // namespace sibyl::support
