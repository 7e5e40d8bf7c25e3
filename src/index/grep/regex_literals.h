// SPDX-License-Identifier: Apache-2.0
// What a line must contain if a regular expression is to match it. An index
// can look that up; the expression itself it cannot. RE2 finds the strings; decision
// 0105 compares it with a parser of ours, which lost matches.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::index {

/// A matching line contains, whatever the case, at least one string of every
/// clause. No clauses: any line may match.
struct LiteralRequirement {
  using Clause = std::vector<std::string>;  ///< Lowered by AppendLower, none empty.
  std::vector<Clause> clauses;
};

/// For an expression in RE2's syntax. One that RE2 refuses, or that is too large,
/// requires nothing: the answer is never wrong, only weaker.
LiteralRequirement RequiredLiterals(std::string_view pattern);

/// The requirement of a plain string.
LiteralRequirement RequiredLiteral(std::string_view literal);

}  // namespace sibyl::index
