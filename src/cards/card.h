// SPDX-License-Identifier: Apache-2.0
// A card: something that a text defines or documents, with its name, its value
// and what is said about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cards/definition.h"

namespace sibyl::cards {

/// Segments keep these numbers (docs/formats/index.md): add at the end only.
enum class CardKind : std::uint8_t {
  kAssignment,     ///< x = 4; x: int = 4; int x{4};
  kMacro,          ///< #define X 4
  kOption,         ///< --x of a program: argparse, click, gflags, option lists
  kEnvironment,    ///< getenv("X", "4"), ${X:-4}, .. envvar:: X
  kEntry,          ///< x: 4 in YAML, "x": 4 in JSON: a configuration key
  kDocumentation,  ///< `x` (default: 4)
  kFunction,
  kMethod,
  kType,  ///< class, struct, union, enum, alias
  kEnumerator,
  kErrorCode,       ///< An enumerator or macro that stands for an error.
  kErrorText,       ///< #error "…"
  kCMakeOption,     ///< option(X "…" ON), set(X 4 CACHE STRING "…")
  kCMakeVariable,   ///< Help/variable, .. variable::
  kCMakeProperty,   ///< Help/prop_*
  kCMakeCommand,    ///< Help/command, .. command::, function(x)
  kCMakePolicy,     ///< Help/policy
  kDockerArgument,  ///< ARG X=4
  kDockerStage,     ///< FROM a AS x
  kMetric,          ///< sm__cycles_elapsed.avg, Gauge("x", "…")
  kInstruction,     ///< mma.sync.aligned.m16n8k16…
  kTableRow,        ///< A row whose first cell is a name.
  kTerm,            ///< Of a definition list; a heading that is a name.
};
inline constexpr std::size_t kCardKinds = 23;

/// "function", "environment variable" …
std::string_view CardKindName(CardKind kind);
std::optional<CardKind> CardKindOf(std::string_view name);

/// A parameter of a function, with what its documentation says.
struct CardParameter {
  std::string name;
  std::string type;           ///< As it is documented or written; may be empty.
  std::string value;          ///< Its default; may be empty.
  std::string documentation;  ///< May be empty.
};

struct Card {
  CardKind kind = CardKind::kAssignment;
  std::string name;
  std::string owner;     ///< The function, class or enumeration around it, if the text has it.
  std::string value;     ///< Without quotes; as it is written otherwise.
  bool is_text = false;  ///< It was in quotes.
  /// Values that it may have: choices=["a", "b"], Literal["a", "b"], <a|b>; at most 40.
  std::vector<std::string> choices;
  std::size_t offset = 0;  ///< Of the name.

  // Only of ReadFileCards:
  std::string signature;  ///< Of a function or type; the header of a table row.
  std::vector<CardParameter> parameters;
  std::string returns;        ///< What its documentation says that it returns.
  std::string since;          ///< The version that added it.
  std::string documentation;  ///< Without comment signs; paragraphs apart.
  /// The lines that an answer quotes, from one: the definition with its
  /// documentation.
  std::uint32_t first_line = 0;
  std::uint32_t last_line = 0;
};

}  // namespace sibyl::cards
