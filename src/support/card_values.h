// SPDX-License-Identifier: Apache-2.0
// The values of definitions, in a form that can be compared: on and off, a
// number, a word.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cards/cards.h"
#include "support/numbers/quantity.h"
#include "support/tokens.h"

namespace sibyl::support {

enum class Sign : std::uint8_t { kNone, kOn, kOff };

/// A definition whose value can be compared. Borrows the card.
struct ReadCard {
  const cards::Card* card = nullptr;
  std::string lower;               ///< Its name.
  std::string qualifier = {};      ///< "a.b." before it in the lines, lower case.
  std::vector<std::string> parts;  ///< Of the name, those that tell it from others.
  bool is_negative = false;        ///< DISABLE_CACHE: on means off.
  Sign sign = Sign::kNone;
  std::optional<Quantity> number;
  std::vector<std::string> about;  ///< Stems of the rest of its line: its description.
  std::string word;                ///< Of a text or an enumerator: its last part, lower case.
};

/// At most 200.
std::vector<ReadCard> ReadValues(const std::vector<cards::Card>& definitions, Tokenizer& tokenizer);

/// Values that the definitions have by the names in them: 128 for `4 * WARP_SIZE`.
std::vector<Quantity> CalculatedValues(const std::vector<cards::Card>& cards);

}  // namespace sibyl::support
