// SPDX-License-Identifier: Apache-2.0
// The hashes by which a segment finds cards.
#pragma once

#include <cstdint>
#include <string_view>

#include "cards/card.h"

namespace sibyl::index {

/// Of a folded name (cards/fold.h).
std::uint32_t CardFoldHash(std::string_view folded);
std::uint32_t CardNameHash(std::string_view name, cards::CardKind kind);

/// Equal for numbers that are equal: "719", "0x2CF", "(719)".
std::uint32_t CardValueHash(std::string_view value);

}  // namespace sibyl::index
