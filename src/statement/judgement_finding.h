// SPDX-License-Identifier: Apache-2.0
// Converts a judgement to a finding, for `verify`, `audit` and the gate.
#pragma once

#include <cstdint>

#include "base/finding.h"
#include "statement/verdict.h"

namespace sibyl::statement {

/// Whether findings include their reason (--explain).
enum class Reasons : std::uint8_t { kLeftOut, kGiven };

/// Failures are errors, everything else notes. The hint is the nearest correct
/// text and where it is. The details are verdict, kind, text, nearest and
/// where, and with reasons `reason`.
Finding FindingOf(const Judgement& judgement, Reasons reasons);

}  // namespace sibyl::statement
