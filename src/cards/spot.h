// SPDX-License-Identifier: Apache-2.0
// Finds where a file defines or documents something, for the index: name, kind,
// value and lines, and nothing else. It runs for every file of a source, so it
// uses what the splitter into passages saw and looks closely only at lines that
// may be a definition. cards/file_cards.h reads the rest when a card is shown.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cards/card.h"
#include "passages/line_table.h"
#include "passages/outline.h"

namespace sibyl::cards {

struct CardSpot {
  CardKind kind = CardKind::kFunction;
  std::uint16_t name_bytes = 0;
  std::uint16_t value_bytes = 0;
  std::uint32_t name = 0;   ///< Offsets in the text.
  std::uint32_t value = 0;  ///< 0 bytes if it has none.
  /// The lines that an answer quotes: the definition with its documentation;
  /// from one, inclusive.
  std::uint32_t first_line = 1;
  std::uint32_t last_line = 1;

  bool operator==(const CardSpot&) const = default;
};

inline constexpr std::size_t kMaxCardsOfFile = 20'000;
inline constexpr std::size_t kMaxCardNameBytes = 200;
inline constexpr std::size_t kMaxCardValueBytes = 80;

struct SpottedFile {
  std::string_view path;
  std::string_view language;  ///< Of passages/language.h.
  const passages::LineTable& lines;
  const passages::OutlineNotes& notes;  ///< Of the same lines.
};

/// Ordered by name offset, within the limits. Names are not empty, and lines are
/// within the file. Takes linear time.
std::vector<CardSpot> SpotCards(const SpottedFile& file);

}  // namespace sibyl::cards
