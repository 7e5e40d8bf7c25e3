// SPDX-License-Identifier: Apache-2.0
// A judgement as a finding: `verify`, `audit` and the gate of a draft report in
// the same words.
#pragma once

#include <cstdint>

#include "base/finding.h"
#include "statement/verdict.h"

namespace sibyl::statement {

/// Whether findings say how they were decided (--explain).
enum class Reasons : std::uint8_t { kLeftOut, kGiven };

/// What fails is an error, everything else a note. The hint is the nearest
/// truth and where it is. The details are verdict, kind, text, nearest and
/// where, and with reasons `reason`.
Finding FindingOf(const Judgement& judgement, Reasons reasons);

}  // namespace sibyl::statement
