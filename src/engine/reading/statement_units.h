// SPDX-License-Identifier: Apache-2.0
// The statements of a page as a reader meets them: those with a receipt, of their own or
// of their paragraph, or a failed check, a table row as one, each with its judgements and one
// verdict.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "gate/knowledge.h"
#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::engine {

/// The verdict of a statement that was not compared with what it cites, since that is not here: in
/// a clone before its sources are fetched. Neither holding nor failing.
inline constexpr std::string_view kUnchecked = "unchecked";

/// The verdict of a block of code that only a compiler or an interpreter could decide: pages are
/// shown without running one.
inline constexpr std::string_view kUncheckedCode = "unchecked_code";

struct StatementUnit {
  std::size_t id = 0;  ///< From one, in the order of the page.
  statement::StatementKind kind = statement::StatementKind::kSentence;
  std::size_t begin = 0;  ///< Bytes of the page.
  std::size_t end = 0;
  std::size_t line = 0;
  std::string text;
  std::vector<const gate::Receipt*> receipts;
  bool shares_marks = false;  ///< It has none of its own: those are of its paragraph.
  std::vector<const statement::Judgement*> judgements;
  /// The name of the worst verdict. Without a judgement it is "supported" if
  /// every receipt resolves, since nothing else could be checked. Instead of "undecidable",
  /// kUnchecked if what the statement cites is not on this machine, otherwise kUncheckedCode of a
  /// block of code.
  std::string_view verdict;
};

/// Whether the definition is a remark in prose, not a citation that cannot be read. The gate
/// refuses both; a reader sees the remark as a footnote.
bool IsNote(const gate::Page& page, const gate::Receipt& receipt);

/// How many of each: what every count of statements in the reading room means.
struct UnitCounts {
  std::size_t holds = 0;
  std::size_t undecided = 0;
  std::size_t stale = 0;
  std::size_t fails = 0;
  std::size_t unchecked = 0;       ///< What they cite is not on this machine.
  std::size_t unchecked_code = 0;  ///< Blocks of code that no tool has compiled or parsed.
};
UnitCounts CountUnits(const std::vector<StatementUnit>& units);
Json UnitCountsAsJson(const UnitCounts& counts);

/// Borrows both.
std::vector<StatementUnit> UnitsOf(const gate::Page& page,
                                   const std::vector<statement::Judgement>& judgements);

}  // namespace sibyl::engine
