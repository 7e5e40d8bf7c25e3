// SPDX-License-Identifier: Apache-2.0
// Whether a word is in a short list.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace sibyl {

template <std::size_t N>
constexpr bool IsOneOf(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace sibyl
