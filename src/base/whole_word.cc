// SPDX-License-Identifier: Apache-2.0
#include "base/whole_word.h"

#include <cstring>

namespace sibyl {

std::optional<std::size_t> FindWholeWord(std::string_view text, std::string_view piece,
                                         std::size_t from) {
  if (piece.empty() || piece.size() > text.size()) return std::nullopt;
  while (from <= text.size() - piece.size()) {
    // Linear for any input; std::string_view::find is not.
    const void* found =
        ::memmem(text.data() + from, text.size() - from, piece.data(), piece.size());
    if (found == nullptr) return std::nullopt;
    const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    const std::size_t end = at + piece.size();
    const bool begins = at == 0 || !IsWordByte(piece.front()) || !IsWordByte(text[at - 1]);
    const bool ends = end == text.size() || !IsWordByte(piece.back()) || !IsWordByte(text[end]);
    if (begins && ends) return at;
    // After the word in which it was found: no piece starts inside one.
    from = at + 1;
    while (from < text.size() && IsWordByte(text[from]) && IsWordByte(text[from - 1])) ++from;
  }
  return std::nullopt;
}

}  // namespace sibyl
