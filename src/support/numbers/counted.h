// SPDX-License-Identifier: Apache-2.0
// How many things cited lines list: "four modes" of a list with four entries.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace sibyl::support {

/// The numbers of things that can be counted in the text: the entries of
/// brackets, lines of the same form one after the other or anywhere, the
/// parts of "a, b and c", what "2-11" covers. Sorted, from 2; at most 500.
std::vector<std::size_t> ThingsCounted(std::string_view text);

}  // namespace sibyl::support
