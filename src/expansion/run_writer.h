// SPDX-License-Identifier: Apache-2.0
// Who writes the parts of a run: the fingerprint of each job begins with it, so
// that a run can be recognised that another writer has begun.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expansion/planned_work.h"
#include "runner/ledger.h"

namespace sibyl::expansion {

inline constexpr std::string_view kExtractWriter = "extract";
inline constexpr std::string_view kModelWriter = "llm";
inline constexpr std::string_view kUnjudgedWriter = "llm-unjudged";

/// Of a request: one of the three.
std::string_view WriterOf(const ExpandRequest& request);
/// Of a job, by its fingerprint; empty for a revision, and for runs of programs before this.
std::string_view WriterOfJob(std::string_view fingerprint);
/// What chooses it on a command line: "", " --writer llm", " --writer llm --no-judge".
std::string_view WriterOptions(std::string_view writer);

/// kUsage if these are the jobs of another writer and some of them have been worked on: to
/// begin a run would throw that away.
Status RequireSameWriter(const std::vector<runner::JobRow>& rows, const ExpandRequest& request,
                         std::string_view plan);

}  // namespace sibyl::expansion
