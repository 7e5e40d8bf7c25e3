// SPDX-License-Identifier: Apache-2.0
// Sources and their changes as JSON.
#pragma once

#include "base/json.h"
#include "evidence/evidence.h"

namespace sibyl::engine {

/// A pin as every answer shows it.
Json PinAsJson(const evidence::Pin& pin);

Json ChangeAsJson(const evidence::SourceChange& change);

/// Counts of skipped files by reason, for reasons that occur.
Json SkipsAsJson(const evidence::ScanReport& report);

}  // namespace sibyl::engine
