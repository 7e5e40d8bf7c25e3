// SPDX-License-Identifier: Apache-2.0
// ReadDefinitionsOf (cards/definition.h) for one family of languages.
#pragma once

#include <string_view>
#include <vector>

#include "cards/definition.h"

namespace sibyl::cards {

std::vector<Definition> ReadCDefinitionsOf(std::string_view name, std::string_view text);
std::vector<Definition> ReadPythonDefinitionsOf(std::string_view name, std::string_view text);

}  // namespace sibyl::cards
