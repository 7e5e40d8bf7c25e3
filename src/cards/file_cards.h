// SPDX-License-Identifier: Apache-2.0
// The cards of a whole file, with everything that the file says about them:
// signature, parameters, documentation, the version that added them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cards/card.h"
#include "cards/spot.h"

namespace sibyl::cards {

struct CardFile {
  std::string_view path;
  std::string_view language;  ///< Of passages/language.h.
  std::string_view text;
};

/// Where a card was spotted (cards/spot.h).
struct CardPlace {
  CardKind kind = CardKind::kFunction;
  std::string_view name;
  std::string_view value;
  std::uint32_t first_line = 1;
  std::uint32_t last_line = 1;
};

/// All of them, in the order of their names; the limits are those of SpotCards.
std::vector<Card> ReadFileCards(const CardFile& file);

/// Only where they are, which is much faster.
std::vector<CardSpot> SpotsOf(const CardFile& file);

/// The one at the place. If the lines do not have it, the card is what the place says.
Card ReadFileCard(const CardFile& file, const CardPlace& place);

}  // namespace sibyl::cards
