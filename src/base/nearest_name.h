// SPDX-License-Identifier: Apache-2.0
// "did you mean": the name that was probably meant.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sibyl {

/// Edit distance with insertions, deletions, substitutions and transpositions.
/// Case-sensitive.
std::size_t EditDistance(std::string_view a, std::string_view b);

/// The candidate nearest to `name`, if it is close enough to be a typo: a third
/// of the name's letters, and at most three. The first of equals.
/// Case-insensitive.
std::optional<std::string> NearestName(std::string_view name,
                                       std::span<const std::string> candidates);

}  // namespace sibyl
