// SPDX-License-Identifier: Apache-2.0
// A summary of an audit to paste into an issue or a comment.
#pragma once

#include <string>
#include <string_view>

#include "engine/outcome.h"

namespace sibyl::engine {

/// A table of counts, then the findings by document, the one with the most failures
/// first. At most 60,000 bytes, since forges refuse longer comments; what does not
/// fit is counted. Text of documents is in code spans, where it cannot mention
/// people, load images or link anywhere.
std::string SummariseAuditInMarkdown(const Outcome& outcome);

/// The text as a code span, on one line.
std::string CodeSpan(std::string_view text);

}  // namespace sibyl::engine
