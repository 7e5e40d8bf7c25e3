// SPDX-License-Identifier: Apache-2.0
// Numbers as text.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace sibyl {

/// The number that the whole text is, in decimal. Nothing for an empty text, a
/// blank or a plus sign, and for a number that does not fit.
template <typename Number>
std::optional<Number> ParseNumber(std::string_view text) {
  Number number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

/// 12345 as "12,345".
std::string Grouped(std::size_t number);

}  // namespace sibyl
