// SPDX-License-Identifier: Apache-2.0
// Cards: definitions with a name and a value, read out of source lines by their
// form, whatever the language: constants and macros, defaults of arguments and
// fields, options of CMake and of command lines, environment variables with a
// fallback, keys of YAML and JSON, defaults given in documentation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::passages {

enum class CardKind : std::uint8_t {
  kAssignment,  ///< x = 4; x: int = 4; int x{4};
  kMacro,       ///< #define X 4
  kOption,      ///< option(X "…" ON), add_argument("--x", default=4), DEFINE_bool(x, true, "…")
  kEnvironment,    ///< getenv("X", "4"), ${X:-4}
  kEntry,          ///< x: 4 in YAML, "x": 4 in JSON
  kDocumentation,  ///< `x` (default: 4)
};

struct Card {
  CardKind kind = CardKind::kAssignment;
  std::string name;
  std::string value;       ///< Without quotes; as it is written otherwise.
  bool is_text = false;    ///< It was in quotes.
  std::size_t offset = 0;  ///< Of the name.
};

/// In the order of the text; at most 2,000. Never fails: what has none of the
/// forms is no card.
std::vector<Card> ReadCards(std::string_view text);

}  // namespace sibyl::passages
