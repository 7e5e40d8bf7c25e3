// SPDX-License-Identifier: Apache-2.0
// Text that is written in base64 or rot13, for the search for prompt injections.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sibyl::injection {

/// The decoded base64 runs of a text and, if it mentions rot13, the
/// rot13-decoded text.
std::vector<std::string> DecodedTexts(std::string_view text);

}  // namespace sibyl::injection
