// SPDX-License-Identifier: Apache-2.0
// Judgements by file, for the checking operations: without what a baseline
// accepts, counted, and as findings.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/arguments.h"
#include "engine/operation.h"
#include "engine/outcome.h"
#include "oracle/context.h"
#include "statement/verdict.h"

namespace sibyl::engine {

struct JudgedFile {
  std::string path;  ///< From the root of the oracle; absolute when it is not one of its pages.
  std::string name;  ///< As findings call it.
  std::vector<statement::Judgement> judgements;  ///< With the texts of their lines.
  std::size_t citations = 0;
};

/// The parameters --all, --explain, --baseline and --write-baseline, which an
/// operation puts at the end of its own.
inline constexpr Parameter kAllParameter = {
    .name = "all", .help = "list every check, not only failures", .kind = ParameterKind::kFlag};
inline constexpr Parameter kExplainParameter = {
    .name = "explain", .help = "give the reason for each verdict", .kind = ParameterKind::kFlag};
inline constexpr Parameter kBaselineParameter = {.name = "baseline",
                                                 .value_name = "FILE",
                                                 .help = "hide the findings that this file accepts",
                                                 .type = ValueType::kPath};
inline constexpr Parameter kWriteBaselineParameter = {
    .name = "write-baseline",
    .value_name = "FILE",
    .help = "accept all current failures: write them to this file",
    .type = ValueType::kPath,
    .people_only = true};

/// Reads --baseline and removes what it accepts; writes --write-baseline and
/// removes everything. The row of `arguments` has both.
struct Accepted {
  std::size_t accepted = 0;  ///< Findings that were removed.
  std::size_t mended = 0;    ///< Accepted findings that no longer occur.
};
Result<Accepted> ApplyBaseline(const oracle::Context& context, const Arguments& arguments,
                               std::vector<JudgedFile>& files);

/// {"files": [{"file", "citations", "counts"}], "counts", "accepted"} and the findings:
/// those that fail or, with --all, all.
Outcome ReportJudged(const std::vector<JudgedFile>& files, const Accepted& accepted,
                     const Arguments& arguments);

}  // namespace sibyl::engine
