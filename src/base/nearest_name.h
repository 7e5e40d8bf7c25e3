// SPDX-License-Identifier: Apache-2.0
// "did you mean": the name that somebody probably meant.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sibyl {

/// How many letters must be added, dropped, changed or swapped with their
/// neighbour to make one of the other. Case counts.
std::size_t EditDistance(std::string_view a, std::string_view b);

/// The candidate nearest to `name`, if one is near enough to be a slip: a third
/// of the name's letters, and at most three. The first of equals. Case does not
/// count as a difference.
std::optional<std::string> NearestName(std::string_view name,
                                       std::span<const std::string> candidates);

}  // namespace sibyl
