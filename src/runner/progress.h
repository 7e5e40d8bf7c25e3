// SPDX-License-Identifier: Apache-2.0
// A job's progress as the journal keeps it.
#pragma once

#include <string>
#include <string_view>

#include "runner/runner.h"

namespace sibyl::runner {

/// {"step":"gather","figures":{"points":3}}
std::string FormatProgress(const Progress& progress);
/// What can be read of it; anything else is an empty progress.
Progress ParseProgress(std::string_view text);

}  // namespace sibyl::runner
