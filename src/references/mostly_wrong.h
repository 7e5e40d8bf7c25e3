// SPDX-License-Identifier: Apache-2.0
// Citations that came together and were mostly wrong when they were written: then one
// that was not seen to hold either has not drifted.
#pragma once

#include <optional>
#include <vector>

#include "references/judge.h"

namespace sibyl::references {

/// Of one document. Turns such citations from drifted to wrong, and withholds where
/// their lines are now.
void CallMostlyWrong(std::vector<std::optional<Judged>>& judged);

}  // namespace sibyl::references
