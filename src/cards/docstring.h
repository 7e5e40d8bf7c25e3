// SPDX-License-Identifier: Apache-2.0
// Where the head of a Python definition ends, and the docstring after it.
#pragma once

#include <cstddef>
#include <string_view>

namespace sibyl::cards {

/// After the colon that ends the head at `at`; the end of its line if it has none.
std::size_t EndOfPythonHead(std::string_view text, std::size_t at);

/// The docstring that follows `at`, blanks and comments apart, with its quotes;
/// empty if something else does.
std::string_view DocstringAt(std::string_view text, std::size_t at);

}  // namespace sibyl::cards
