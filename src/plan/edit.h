// SPDX-License-Identifier: Apache-2.0
// Writes the outcome of a part into its plan: a mark in its box and a note at
// the end of its line. No other byte changes, including line ends and invalid
// bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "plan/plan.h"

namespace sibyl::plan {

/// "[x]" and "(Completed TIME)" on the part's line, replacing the note of an
/// earlier failure. `part` must have been parsed from `text`. A part without a
/// box gets a new line under its heading. A part that is already done is not
/// changed.
Result<std::string> TickPart(std::string_view text, const Part& part, std::string_view moment);

/// "[/]" and "(Failed MOMENT: reason)". The reason becomes one short line.
Result<std::string> MarkPartFailed(std::string_view text, const Part& part, std::string_view moment,
                                   std::string_view reason);

/// Where the note of MarkPartFailed starts in a part's line; npos if it has none.
std::size_t FindFailedNote(std::string_view line);

}  // namespace sibyl::plan
