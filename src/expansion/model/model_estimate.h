// SPDX-License-Identifier: Apache-2.0
// What a model will probably be asked for a part, and what that costs, before the
// first answer: searches, readings, sections, repairs and judging.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "draft/extract/gather.h"
#include "expansion/part_job.h"
#include "model/question.h"
#include "plan/plan.h"

namespace sibyl::expansion {

/// Requests of one kind.
struct ExpectedRequests {
  std::string_view stage;  ///< "search", "reading", "writing", "repair", "judging".
  std::size_t count = 0;
  model::Usage likely;
  model::Usage most;
};

enum class Judging : std::uint8_t { kNone, kWithModel };

/// The first two kinds are built as they will be sent, with the hits of the plan's
/// own words; of the others the sizes are those of measured runs (bench/RESULTS.md).
std::vector<ExpectedRequests> ExpectRequests(const plan::Part& part, const PartInputs& inputs,
                                             Judging judging);

}  // namespace sibyl::expansion
