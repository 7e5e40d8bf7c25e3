// SPDX-License-Identifier: Apache-2.0
// What a page shows of a unit that answers a point: sentences as a quotation, a
// list as a quotation with items, tables and samples as they are written, code to
// the end of its block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "draft/answer/answer.h"

namespace sibyl::draft {

enum class BlockForm : std::uint8_t { kQuote, kWritten, kCode };

struct PointBlock {
  BlockForm form = BlockForm::kQuote;
  const Excerpt* excerpt = nullptr;  ///< Of the unit.
  std::vector<std::string> lines;    ///< Of a quotation, Markdown without its marks.
  std::uint32_t first_line = 0;      ///< Of the file.
  std::uint32_t last_line = 0;
  std::string language = {};  ///< Of a fence.

  /// How many lines it takes on a page, with what introduces it.
  std::size_t PageLines() const { return lines.size() + (form == BlockForm::kQuote ? 3 : 6); }
};

/// nullopt if it does not fit: a block is shown whole or not at all. The unit is borrowed.
std::optional<PointBlock> BlockOf(const AnswerUnit& unit, std::size_t most_lines);

/// Identifies a shown block, so that a writer can drop it.
std::string BlockKey(const Excerpt& excerpt, std::uint32_t first, std::uint32_t last);

}  // namespace sibyl::draft
