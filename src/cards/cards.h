// SPDX-License-Identifier: Apache-2.0
// Cards: definitions with a name and a value, read out of source lines by their
// form, whatever the language: constants and macros, defaults of arguments and
// fields, options of CMake and of command lines, environment variables with a
// fallback, keys of YAML and JSON, defaults given in documentation. What they
// belong to, and functions with their parameters, members and calls, is read by
// cards/definition.h.
#pragma once

#include <string_view>
#include <vector>

#include "cards/card.h"
#include "cards/definition.h"

namespace sibyl::cards {

/// In the order of the text; at most 2,000. Never fails: what has none of the
/// forms is no card.
std::vector<Card> ReadCards(std::string_view text);

/// The same, with the definitions of the text, where they were read before.
std::vector<Card> ReadCards(std::string_view text, const std::vector<Definition>& definitions);

}  // namespace sibyl::cards
