// SPDX-License-Identifier: Apache-2.0
// Strings that a line must contain for a regular expression to match it. An index can look up
// strings, but not expressions. RE2 finds the strings; decision 0105 compares this with our own
// parser, which lost matches.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::index {

/// A matching line contains at least one string of every clause, ignoring case. No clauses: any
/// line may match.
struct LiteralRequirement {
  using Clause = std::vector<std::string>;  ///< Lower-cased by AppendLower; not empty.
  std::vector<Clause> clauses;
};

/// For an expression in RE2's syntax. If RE2 rejects it or it is too large, the result is
/// empty: correct, but no help.
LiteralRequirement RequiredLiterals(std::string_view pattern);

/// The requirement of a plain string.
LiteralRequirement RequiredLiteral(std::string_view literal);

}  // namespace sibyl::index
