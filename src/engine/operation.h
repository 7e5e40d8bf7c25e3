// SPDX-License-Identifier: Apache-2.0
// Start here: what an operation is, and the one table of them.
//
// A row says everything that a face needs to know about an operation. The
// command line, its help, the man page, the completions and docs/cli.md are
// generated from the rows; so will be the MCP tools and the web routes. To add
// an operation, write one file with its row and its run function, and name the
// row in operations.cc.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sibyl::engine {

class Arguments;
struct Context;
struct Outcome;  // not included: most that reads the table needs no JSON

enum class ParameterKind {
  kPositional,  ///< Known by its place.
  kOption,      ///< Known by its name, and takes a value.
  kFlag,        ///< Known by its name; there or not.
};

enum class ValueType { kText, kPath, kInteger, kChoice };

struct Parameter {
  std::string_view name;        ///< "output": lower case, words joined by hyphens.
  char short_name = '\0';       ///< 'o', for faces that have short names.
  std::string_view value_name;  ///< "FILE": how help calls the value; empty for a flag.
  std::string_view help;        ///< One sentence, lower case, no full stop.
  ParameterKind kind = ParameterKind::kOption;
  ValueType type = ValueType::kText;
  bool required = false;
  bool repeated = false;
  std::span<const std::string_view> choices = {};  ///< For kChoice.
  std::string_view default_text = {};              ///< Used when nothing is given; shown in help.
  std::int64_t minimum = INT64_MIN;                ///< For kInteger.
  std::int64_t maximum = INT64_MAX;
};

/// What an operation touches. A face uses it to decide what to allow (a server
/// asks for a token before anything that writes) and help says it.
struct Effects {
  bool reads = false;
  bool writes = false;
  bool network = false;
};

/// A code that the findings of an operation may carry, and what it means.
struct Rule {
  std::string_view code;
  std::string_view meaning;  ///< One sentence for people and for SARIF.
};

struct Operation {
  std::string_view name;     ///< "plan show"
  std::string_view summary;  ///< A line of `-h`: lower case, imperative, no full stop.
  /// The manual: paragraphs separated by empty lines, `code` in backticks, and
  /// lines indented by two spaces kept as they are.
  std::string_view description;
  std::span<const Parameter> parameters = {};
  Effects effects = {};
  /// The codes of its findings; nullptr when it has none. A function, since
  /// the room that makes the findings owns the list.
  std::vector<Rule> (*rules)() = nullptr;
  bool answers_sarif = false;
  Result<Outcome> (*run)(const Context&, const Arguments&) = nullptr;
};

/// Every operation, in the order in which help lists them.
std::span<const Operation* const> Operations();

/// The row of that name, or nullptr.
const Operation* FindOperation(std::string_view name);

}  // namespace sibyl::engine
