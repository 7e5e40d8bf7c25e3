// SPDX-License-Identifier: Apache-2.0
// Looks once more at a citation that its names call wrong: sentences describe code
// without naming it.
#pragma once

#include "references/citation_status.h"
#include "references/decide_status.h"
#include "references/past/past_lines.h"
#include "references/reference.h"

namespace sibyl::references {

/// Undecided if the lines have something else of the sentence, drifted if they
/// had; otherwise wrong. `then` is null if there is no history.
CitationStatus LookAgain(const Reference& reference, const SeenIn& now, const PastLines* then);

}  // namespace sibyl::references
