// SPDX-License-Identifier: Apache-2.0
// Finds what a line of a plan mentions: pages, repositories, files, search queries. Every
// function is linear in the length of the line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"

namespace sibyl::plan {

/// "https://…" without trailing punctuation.
std::vector<std::string> FindUrls(std::string_view text);

/// The context of the line, which determines what a word with a slash means.
enum class RepositoryContext {
  kNone,   ///< Only what the line itself calls a repository.
  kListed  ///< The line is in a list of repositories.
};

/// "NVIDIA/cutlass" if the line mentions GitHub or a repository, and the
/// repositories in URLs of git hosts.
std::vector<std::string> FindRepositories(std::string_view text, RepositoryContext context);

/// Words that are files or folders ("a/b/", "x.md"), outside parentheses.
std::vector<std::string_view> FindPaths(std::string_view text);

/// "Read cuda/01-x.md lines 10-40 (why)", "Check existing a.md", "Review b/".
std::vector<Read> FindReads(std::string_view text, std::size_t line);

enum class QueryContext {
  kNone,
  kListed,    ///< In a list of queries: quotes alone make one.
  kKnowledge  ///< In a step that looks at existing knowledge: "Search" asks the oracle.
};

/// "Search: "…"", "search_engine(query="…")", and the members of a query list.
std::vector<std::string> FindQueries(std::string_view text, QueryContext context);

/// "Search queries:", "**Web Research Queries:**", "Web searches:"
bool IsQueryListLabel(std::string_view label);

/// "KNOWLEDGE-DROP-….md", or empty.
std::string_view FindDrop(std::string_view text);

}  // namespace sibyl::plan
