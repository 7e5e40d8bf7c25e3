// SPDX-License-Identifier: Apache-2.0
// Whether a file says of itself that a program generated it.
#pragma once

#include <string_view>

namespace sibyl {

/// Looks for the words of generators in the first 2048 bytes: "do not edit",
/// "@generated", "automatically generated", "code generated". "generated" alone
/// is a common word and does not count.
bool SaysGenerated(std::string_view text);

}  // namespace sibyl
