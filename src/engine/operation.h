// SPDX-License-Identifier: Apache-2.0
// Start here: what an operation is, and the one table of them.
//
// A row has everything that a front end needs to know about an operation. The
// command line, its help, the man page, the completions, docs/cli.md, the MCP
// tools and the HTTP routes are generated from the rows. To add an operation,
// write one file with its row and its run function, and list the row in
// operations.cc.
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
  kPositional,  ///< Identified by its position.
  kOption,      ///< Identified by its name, with a value.
  kFlag,        ///< Identified by its name, without a value.
};

enum class ValueType { kText, kPath, kInteger, kChoice };

struct Parameter {
  std::string_view name;        ///< "output": lower case, words joined by hyphens.
  char short_name = '\0';       ///< 'o', for front ends that have short names.
  std::string_view value_name;  ///< "FILE": how help calls the value; empty for a flag.
  std::string_view help;        ///< One sentence, lower case, no full stop.
  ParameterKind kind = ParameterKind::kOption;
  ValueType type = ValueType::kText;
  bool required = false;
  bool repeated = false;
  bool takes_words = false;        ///< On a command line, the words that follow are joined to it.
  bool required_of_tools = false;  ///< Required of agents and over HTTP, not of people.
  std::span<const std::string_view> choices = {};  ///< For kChoice.
  std::string_view default_text = {};              ///< Default; shown in help.
  std::int64_t minimum = INT64_MIN;                ///< For kInteger.
  std::int64_t maximum = INT64_MAX;
  /// Not offered to agents and over HTTP: it names a file to be written, runs a
  /// program, or means the terminal.
  bool people_only = false;
  /// Enables the network; see NetworkUse.
  bool uses_network = false;
  /// An output format; only one can be given.
  bool is_format = false;
};

enum class NetworkUse {
  kNone,
  kOnRequest,  ///< Only if a parameter with `uses_network` is given.
  kAlways,
};

/// The effects of an operation. A front end uses them to decide what to allow
/// (a server requires a token for anything that writes), and help shows them.
/// RunOperation enforces `changes_oracle` and `network`.
struct Effects {
  bool reads = false;
  bool writes = false;
  bool changes_oracle = false;  ///< What is committed: pages, sources, plans, kept runs.
  NetworkUse network = NetworkUse::kNone;
};

/// How an operation is offered to agents and over HTTP.
struct Tool {
  /// "claim_part"; empty: for people only, unless a person allows it by name.
  std::string_view name = {};
  bool is_read_only = false;   ///< Changes nothing but what can be rebuilt at any time.
  bool is_idempotent = false;  ///< The same again changes nothing more.
  bool is_refused = false;     ///< Never offered as a tool: only people can agree.
  /// A flag that is set in calls over MCP unless the agent sets it to false.
  std::string_view preset_flag = {};
};

struct Operation {
  std::string_view name;     ///< "plan show"
  std::string_view summary;  ///< A line of `-h`: lower case, imperative, no full stop.
  /// The manual: paragraphs separated by empty lines, `code` in backticks, and
  /// preformatted lines indented by two spaces.
  std::string_view description;
  std::span<const Parameter> parameters = {};
  Effects effects = {};
  /// The codes of its findings; nullptr if it has none. A function, since the
  /// room that creates the findings owns the list.
  std::vector<Rule> (*rules)() = nullptr;
  /// Its findings can be printed in the formats of CI systems: SARIF, JUnit, ...
  bool reports_findings = false;
  Tool tool = {};
  Result<Outcome> (*run)(const oracle::Context&, const Arguments&) = nullptr;
  /// How people are shown the outcome (engine/text/render.h).
  Rendered (*render)(const Outcome&, const RenderOptions&) = nullptr;
};

/// Runs an operation for any front end. It may use the network only if its row
/// declares it, the context allows it and SIBYL_OFFLINE is not set. Do not call
/// `run` directly.
Result<Outcome> RunOperation(const Operation& operation, const oracle::Context& context,
                             const Arguments& arguments);

/// Every operation, in the order in which help lists them.
std::span<const Operation* const> Operations();

/// The row of that name, or nullptr.
const Operation* FindOperation(std::string_view name);

}  // namespace sibyl::engine
