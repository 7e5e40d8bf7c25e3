// SPDX-License-Identifier: Apache-2.0
// Reads what comments and docstrings say about a name: text, parameters, what
// is returned, the version. Doxygen, plain comments, and docstrings in the
// forms of Google, NumPy and Sphinx.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cards/card.h"

namespace sibyl::cards {

/// The text of comments, without their signs: one or more in C or "#" style.
std::string CommentText(std::string_view comments);

/// The text of a docstring with its quotes, without its indentation.
std::string DocstringText(std::string_view docstring);

/// Moves what the text says about parameters, the returned value and the version
/// into the card; the rest becomes its documentation. At most 20,000 bytes are
/// read.
void ReadDocumentation(std::string_view text, Card& card);

}  // namespace sibyl::cards
