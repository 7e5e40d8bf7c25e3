// SPDX-License-Identifier: Apache-2.0
// What the model writer will probably ask about a part, and at most, before anything
// is asked.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "draft/extract/gather.h"
#include "expansion/model/model_rates.h"
#include "expansion/part_job.h"
#include "model/question.h"
#include "plan/plan.h"

namespace sibyl::expansion {

/// Requests of one kind.
struct ExpectedRequests {
  Stage stage = Stage::kSearch;
  std::size_t count = 0;
  model::Usage likely;
  model::Usage most;
};

enum class Judging : std::uint8_t { kNone, kWithModel };

/// A section as the model would see it with the hits of the plan's own words.
struct SectionSize {
  std::size_t points = 0;  ///< That are not covered.
  std::size_t lines = 0;   ///< The most that it may have.
  model::Usage reading;    ///< The request as it will be sent.
  model::Usage reading_most;
  double rules = 0;               ///< Of a request to write, without its passages.
  double passage = 0;             ///< Of one passage, on the average.
  std::vector<std::size_t> hits;  ///< Of each of the points.
  model::Usage writing_most;
};

/// All that can be known before the first request.
struct PartSize {
  std::size_t points = 0;
  std::size_t lines = 0;
  std::size_t search_requests = 0;
  model::Usage search;
  model::Usage search_most;
  std::vector<SectionSize> sections;  ///< Those with hits.
};

PartSize SizeOf(const plan::Part& part, const PartInputs& inputs);

/// Empty for a part without open points.
std::vector<ExpectedRequests> ExpectRequests(const PartSize& size, const Rates& rates,
                                             Judging judging);

}  // namespace sibyl::expansion
