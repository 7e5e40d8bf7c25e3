// SPDX-License-Identifier: Apache-2.0
// The code citations of the audited documents: which repository each document is
// in, what is found there, and what --fix, --durable and --diff do about it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/json.h"
#include "base/process/git_command.h"
#include "base/result.h"
#include "engine/arguments.h"
#include "engine/operation.h"
#include "engine/outcome.h"
#include "oracle/context.h"
#include "references/judge.h"
#include "statement/verdict.h"

namespace sibyl::engine {

/// The parameters --since, --at, --fix, --diff and --durable.
inline constexpr Parameter kSinceParameter = {
    .name = "since",
    .value_name = "REF",
    .help = "only what changed since this branch left REF: documents, and citations it broke"};
inline constexpr Parameter kAtParameter = {
    .name = "at",
    .value_name = "REF",
    .help = "compare code citations with the code at this commit, branch or tag"};
inline constexpr Parameter kFixParameter = {
    .name = "fix",
    .help = "correct the line numbers of code citations where the new ones are certain",
    .kind = ParameterKind::kFlag,
    .people_only = true};
inline constexpr Parameter kDurableParameter = {
    .name = "durable",
    .help = "drop line numbers where a symbol is enough; otherwise use a permalink",
    .kind = ParameterKind::kFlag,
    .people_only = true};
inline constexpr Parameter kDiffParameter = {
    .name = "diff",
    .help = "print what --fix (or --durable) would change, and change nothing",
    .kind = ParameterKind::kFlag};

std::vector<Rule> CodeCitationRules();

/// "src/a.rs:12-20"
std::string TargetText(const references::Target& target);

/// What was found out about a citation, in a sentence.
std::string CitationMessage(const references::Judged& judged);

/// "now src/a.rs:12" if that is certain, otherwise "perhaps src/a.rs:12"; empty
/// without a suggestion.
std::string SuggestionText(const references::Judged& judged);

/// "citation/drifted" and so on; only for those that fail.
std::string CitationCode(references::CitationStatus status);

/// Where git logs are kept; empty without a home.
std::filesystem::path CitationCache(const oracle::Context& context);

/// The repository whose work tree has this folder, if the caller may read all of it.
Result<std::optional<GitRepository>> ReadableRepository(const oracle::Context& context,
                                                        const std::filesystem::path& folder);

struct CodeCitations {
  Json entries = Json::array();  ///< Those that fail; with --all all of them.
  /// By the absolute path of the document.
  std::map<std::string, std::vector<statement::Judgement>> judgements;
  std::map<std::string, std::size_t> counts;  ///< By the name of the status.
  std::set<std::string> unchanged;            ///< With --since: absolute paths of the others.
  /// With --since: documents that did not change, with citations that the branch broke.
  std::set<std::string> broken;
  std::vector<Finding> findings;  ///< Repositories and documents that were not read.
  std::string diff;               ///< With --diff.
  Json fixes =
      Json::array();          ///< What --fix would correct, as replacements: docs/formats/facts.md.
  std::size_t corrected = 0;  ///< With --fix or --durable.
  std::size_t correctable = 0;  ///< What --fix would correct.
  std::size_t in_records = 0;   ///< No longer hold, in documents that record a past state.
};

/// Checks documents, given by absolute paths, each in the repository it is in.
/// Documents outside of any repository have none.
Result<CodeCitations> CheckCodeCitations(const oracle::Context& context, const Arguments& arguments,
                                         const std::vector<std::filesystem::path>& documents);

/// Adds code_citations, code_counts and the rest to the answer.
void AddToOutcome(const CodeCitations& citations, Outcome& outcome);

}  // namespace sibyl::engine
