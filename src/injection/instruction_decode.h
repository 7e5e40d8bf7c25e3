// SPDX-License-Identifier: Apache-2.0
// Text that is written in base64 or rot13, for the search for prompt injections.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sibyl::injection {

/// What the runs of base64 in a text say, and, if it mentions rot13, the text decoded
/// so.
std::vector<std::string> DecodedTexts(std::string_view text);

}  // namespace sibyl::injection
