// SPDX-License-Identifier: Apache-2.0
// Exact search: every line that matches a string or regular expression, in the whole text. The
// index narrows the search; the text decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "index/filter.h"
#include "index/rank/searcher.h"

namespace sibyl::index {

enum class PatternSyntax { kRegex, kLiteral };
enum class LetterCase { kMatters, kIgnored };
enum class MatchOrder {
  kIndex,
  kRelevance,  ///< index/grep/match_order.h. Reads up to kMostOrdered lines, whatever the limit.
};
inline constexpr std::size_t kMostOrdered = 100'000;

struct Pattern {
  std::string text;  ///< RE2's syntax. Matches do not span lines.
  PatternSyntax syntax = PatternSyntax::kRegex;
  LetterCase letter_case = LetterCase::kMatters;
  Filter filter = {};
  std::size_t max_lines = 10'000;
  MatchOrder order = MatchOrder::kIndex;
  std::size_t threads = 0;  ///< For scans that no index narrows down. 0: one per processor.
};

struct MatchedLine {
  std::uint32_t passage = 0;  ///< Number in the part.
  std::uint32_t line = 0;
  std::string text;  ///< Without the newline.
  /// Where the first match is in the text.
  std::uint32_t match = 0;
  std::uint32_t match_bytes = 0;
};

/// The matching lines of one text, which may have several paths.
struct MatchedDocument {
  std::uint32_t part = 0;
  std::uint32_t document = 0;
  std::vector<MatchedLine> lines;
};

struct Matches {
  std::vector<MatchedDocument> documents;
  std::size_t line_count = 0;
  bool is_complete = true;              ///< False: there are more lines than max_lines.
  std::uint64_t searched_passages = 0;  ///< How many passages were read.
};

/// Fails if RE2 rejects the pattern.
Result<Matches> Grep(const Searcher& searcher, const Pattern& asked);

}  // namespace sibyl::index
