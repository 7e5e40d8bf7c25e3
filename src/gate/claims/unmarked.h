// SPDX-License-Identifier: Apache-2.0
// Headings, labels, table headers, introductions, questions, link texts, alt
// texts and cells without a mark: texts that need no citation, as long as they
// claim nothing beyond what is cited next to them (text/claim).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "draft/draft.h"
#include "gate/citations.h"
#include "gate/claims/claim_scopes.h"
#include "statement/verdict.h"

namespace sibyl::gate {

/// Headings that come from a plan, in lower case and without their numbers. The
/// user chose them before anything was written.
using PlannedWords = std::set<std::string, std::less<>>;

/// From the page itself: the title and the numbered sections below a stamp, and
/// the table of planned points.
PlannedWords PlannedOnPage(const statement::Statements& statements);

/// From the plan of a draft.
PlannedWords PlannedFor(const draft::Draft& draft);

/// One failure for each text that claims too much.
std::vector<statement::Judgement> JudgeUnmarked(const CitedFile& file, ClaimScopes& scopes);

/// Headings of a draft that look like the plan's and are not.
std::vector<statement::Judgement> JudgeUnplanned(const CitedFile& file, const draft::Draft& draft);

}  // namespace sibyl::gate
