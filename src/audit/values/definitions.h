// SPDX-License-Identifier: Apache-2.0
// Definitions of a name with a value in the pinned sources: defaults of parameters, options,
// constants, enumerators, read by their form (cards/cards.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/values/value_literal.h"
#include "audit/witness.h"

namespace sibyl::audit {

struct Definition {
  Sighting sighting;
  std::string value;               ///< As it is written.
  std::optional<Literal> literal;  ///< Nothing: an expression that cannot be compared.
  bool is_default = false;         ///< Of a parameter, a field, an option, a setting.
  bool is_constant = false;        ///< A macro, an enumerator, a constant.
  std::string function;            ///< Whose signature it is in; may be empty.
};

/// "--max-restarts" and "max_restarts" are one name.
std::string PlainName(std::string_view name);

struct Definitions {
  std::vector<Definition> all;
  bool is_complete = true;  ///< False: the name has more places than are read.
};

/// In all sources, or in one. Tests, and calls that pass a value, are not definitions.
Definitions FindDefinitions(const Witness& witness, std::string_view name,
                            std::optional<std::size_t> source = {});

/// In one file.
std::vector<Definition> FindDefinitionsIn(const Witness& witness, const Witness::File& file,
                                          std::string_view name);

/// Of a parameter, in the text of the definition that `at` begins.
std::vector<Definition> FindDefinitionsOf(std::string_view text, const Sighting& at,
                                          std::string_view name);

/// Files that define a class, function or console script of this name; at most 24.
std::vector<Witness::File> HomesOf(const Witness& witness, std::string_view owner);

/// Whether the definition is in a class, function or section that has the name.
bool IsWithin(const Witness& witness, const Definition& definition, std::string_view owner);

}  // namespace sibyl::audit
