// SPDX-License-Identifier: Apache-2.0
// A text from elsewhere as one short line of a message, a note or a prompt.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sibyl {

/// Valid UTF-8 without controls: each run of blanks, controls and invalid bytes
/// is one blank, and none is at either end. Of more than `most` bytes the first
/// characters remain, followed by "…".
std::string OneLine(std::string_view text, std::size_t most = std::string_view::npos);

}  // namespace sibyl
