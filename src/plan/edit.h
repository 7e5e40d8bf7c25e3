// SPDX-License-Identifier: Apache-2.0
// Writes the outcome of a part into its plan: a mark in its box and a note
// behind its line. Every other byte stays as it is, line ends and invalid
// bytes included; the plan belongs to the person who wrote it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "plan/plan.h"

namespace sibyl::plan {

/// "[x]" and "(Completed MOMENT)" on the part's line. A note of an earlier
/// failure gives way. `part` must have been read from `text`. A part without a
/// box gets a line of its own below its heading. A part that is done already is
/// left as it is.
Result<std::string> TickPart(std::string_view text, const Part& part, std::string_view moment);

/// "[/]" and "(Failed MOMENT: reason)". The reason becomes one short line.
Result<std::string> MarkPartFailed(std::string_view text, const Part& part, std::string_view moment,
                                   std::string_view reason);

}  // namespace sibyl::plan
