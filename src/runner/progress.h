// SPDX-License-Identifier: Apache-2.0
// A job's progress as the journal keeps it.
#pragma once

#include <string>
#include <string_view>

#include "runner/runner.h"

namespace sibyl::runner {

/// {"step":"gather","figures":{"points":3}}, and "findings":["…"] if there are any
std::string FormatProgress(const Progress& progress);
/// Returns an empty progress for text that cannot be parsed.
Progress ParseProgress(std::string_view text);

}  // namespace sibyl::runner
