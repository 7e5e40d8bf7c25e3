// SPDX-License-Identifier: Apache-2.0
// Command lines in code font: `make test-warmup`, `tune download`.
#pragma once

#include <string_view>

namespace sibyl::support {

/// A program in lower case, and words of letters, digits and hyphens.
bool IsCommand(std::string_view code);

/// Whether the code is a command whose words after the program are all in the
/// lines. The lines that define a command seldom name its program.
bool IsCommandOf(std::string_view code, std::string_view lines);

}  // namespace sibyl::support
