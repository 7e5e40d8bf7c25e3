// SPDX-License-Identifier: Apache-2.0
// What the gate judged, in the words of the answers. `verify` and `audit` speak
// the same language: judgements become findings, for people, for --json and for
// SARIF, and their counts stand beside them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/finding.h"
#include "base/json.h"
#include "engine/operation.h"
#include "verify/verdict.h"

namespace sibyl::engine {

/// Whether findings say how they were decided (--explain).
enum class Reasons : std::uint8_t { kLeftOut, kGiven };

/// What fails is an error, everything else a note. The hint is the nearest
/// truth and where it stands. The details are verdict, kind, text, nearest and
/// where, and with reasons `reason`.
Finding FindingOf(const verify::Judgement& judgement, Reasons reasons);

/// {"supported": 3, "contradicted": 0, "absent": 0, "stale": 0, "undecidable": 1}
Json CountsAsJson(const verify::VerdictCounts& counts);

verify::VerdictCounts Sum(const verify::VerdictCounts& a, const verify::VerdictCounts& b);

/// Fills in the text of every judgement's line, or the piece of it around the
/// column. `text` is the whole file.
void AddLineTexts(std::string_view text, std::vector<verify::Judgement>& judgements);

/// The codes of the gate, for the rows of its operations.
std::vector<Rule> GateRules();

}  // namespace sibyl::engine
