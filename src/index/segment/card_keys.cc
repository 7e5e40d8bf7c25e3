// SPDX-License-Identifier: Apache-2.0
#include "index/segment/card_keys.h"

#include <charconv>
#include <string>

#include "base/ascii.h"
#include "cards/fold.h"
#include "index/segment/checksum.h"

namespace sibyl::index {

std::uint32_t CardFoldHash(std::string_view folded) { return Crc32c(folded); }

std::uint32_t CardNameHash(std::string_view name, cards::CardKind kind) {
  return Crc32c(cards::FoldName(name, kind));
}

std::uint32_t CardValueHash(std::string_view value) {
  while (!value.empty() && (IsBlank(value.front()) || value.front() == '(')) value.remove_prefix(1);
  const bool is_negative = value.starts_with('-');
  if (is_negative) value.remove_prefix(1);
  const bool is_hex = value.starts_with("0x") || value.starts_with("0X");
  if (is_hex) value.remove_prefix(2);
  std::uint64_t number = 0;
  constexpr int kHex = 16;
  constexpr int kDecimal = 10;
  const auto [end, failure] =
      std::from_chars(value.data(), value.data() + value.size(), number, is_hex ? kHex : kDecimal);
  if (failure != std::errc() || end == value.data()) return Crc32c(value);
  return Crc32c((is_negative ? "-" : "") + std::to_string(number));
}

}  // namespace sibyl::index
