// SPDX-License-Identifier: Apache-2.0
// What a place in a file belongs to: the headings above it, the first lines of
// the definitions around it, the definition that a comment describes, the
// header of a table.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sibyl::passages {

/// Lines of the file outside [begin, end), one below the other. Reads at most
/// 3,000 lines above the place.
std::string EnclosingText(std::string_view path, std::string_view text, std::size_t begin,
                          std::size_t end);

}  // namespace sibyl::passages
