// SPDX-License-Identifier: Apache-2.0
// Finds places with line numbers in one statement, before it is known which file
// those without a path belong to. Part of find.cc.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "references/find/file_mention.h"
#include "references/find/line_numbers.h"
#include "references/reference.h"
#include "statement/statement.h"

namespace sibyl::references {

/// Of one statement; the rest is not read.
inline constexpr std::size_t kMaxHits = 2'000;

struct Hit {
  Form form = Form::kColon;
  std::size_t begin = 0;  ///< In the text of the statement.
  std::size_t end = 0;
  LineNumbers numbers;
  std::optional<FileMention> file;  ///< Its own; otherwise the context names it.
  /// Offsets in `file` and `numbers` are into the URL of this link instead.
  const statement::StatementLink* link = nullptr;
  std::string commit;
  std::string repository;
  std::string symbol = {};  ///< Of `parse_header:30`.
};

/// In order, without overlap. `files` are the mentions in the text.
std::vector<Hit> ScanText(const statement::Statement& statement,
                          const std::vector<FileMention>& files);

/// Whether a line of a code block, without its indent, is a comment in some language.
bool IsBlockComment(std::string_view line);

/// The same for the lines of a code block that may cite code: comments, and
/// diagrams; not terminal output.
std::vector<Hit> ScanCode(const statement::Statement& block, const IsKnownFile& is_known);

/// A link to lines; nothing if its URL has none.
std::optional<Hit> ScanLink(const statement::StatementLink& link);

/// The path of a link to a file in the same repository, without lines and
/// fragment; empty for other links.
std::string LinkedPath(std::string_view url);

/// What a column "Lines" has: with a range in it, a single number is a line too.
enum class LineColumn : std::uint8_t { kUnknown, kOfRanges };

/// A cell of a column of line numbers, with nothing else in it.
std::optional<Hit> ScanNumberCell(const statement::Statement& cell, LineColumn column);

}  // namespace sibyl::references
