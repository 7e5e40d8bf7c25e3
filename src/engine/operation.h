// SPDX-License-Identifier: Apache-2.0
// Start here: what an operation is, and the one table of them.
//
// A row says everything that a face needs to know about an operation. The
// command line, its help, the man page, the completions, docs/cli.md, the MCP
// tools and the HTTP routes are generated from the rows. To add
// an operation, write one file with its row and its run function, and name the
// row in operations.cc.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/finding.h"
#include "base/result.h"

namespace sibyl::oracle {
struct Context;
}

namespace sibyl::engine {

class Arguments;
struct Outcome;  // not included: most that reads the table needs no JSON
struct Rendered;
struct RenderOptions;

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
  /// Not offered to agents and over HTTP: it names a file to be written, runs a
  /// program, or means the terminal.
  bool people_only = false;
  /// Asks for the network; see NetworkUse.
  bool uses_network = false;
};

enum class NetworkUse {
  kNone,
  kOnRequest,  ///< Only when a parameter with `uses_network` is given.
  kAlways,
};

/// What an operation touches. A face uses it to decide what to allow (a server
/// asks for a token before anything that writes) and help says it.
/// RunOperation holds an operation to its `network`.
struct Effects {
  bool reads = false;
  bool writes = false;
  NetworkUse network = NetworkUse::kNone;
};

/// How an operation is offered to agents and over HTTP.
struct Tool {
  /// "claim_part"; empty: people's alone, unless a person allows it by name.
  std::string_view name = {};
  bool is_read_only = false;   ///< Changes nothing but what can be rebuilt at any time.
  bool is_idempotent = false;  ///< The same again changes nothing more.
  bool is_refused = false;     ///< Never offered, whoever allows it: only people can agree.
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
  Tool tool = {};
  Result<Outcome> (*run)(const oracle::Context&, const Arguments&) = nullptr;
  /// How people are shown the outcome (engine/text/render.h).
  Rendered (*render)(const Outcome&, const RenderOptions&) = nullptr;
};

/// Runs an operation for any face. It may use the network only if its row says so,
/// the context allows it and SIBYL_OFFLINE does not forbid it. Do not call `run`.
Result<Outcome> RunOperation(const Operation& operation, const oracle::Context& context,
                             const Arguments& arguments);

/// Every operation, in the order in which help lists them.
std::span<const Operation* const> Operations();

/// The row of that name, or nullptr.
const Operation* FindOperation(std::string_view name);

}  // namespace sibyl::engine
