// SPDX-License-Identifier: Apache-2.0
// Finds a text where it is not a part of a longer word.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/ascii.h"

namespace sibyl {

/// Letters, digits, '_' and every byte of a character beyond ASCII.
constexpr bool IsWordByte(char c) { return IsNameByte(c) || static_cast<unsigned char>(c) >= 0x80; }

/// Where `piece` occurs at or after `from` with no word byte touching one of its
/// own at either end. Linear for any input. An empty piece is nowhere.
std::optional<std::size_t> FindWholeWord(std::string_view text, std::string_view piece,
                                         std::size_t from = 0);

}  // namespace sibyl
