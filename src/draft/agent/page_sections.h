// SPDX-License-Identifier: Apache-2.0
// Takes a published page apart into the sections that an agent would have
// drafted for it, so that it can be revised. Putting the same sections together
// again (draft/agent/agent_page.h) gives the same page, apart from its stamp.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "draft/agent/agent_page.h"
#include "draft/agent/agent_receipts.h"
#include "evidence/cited_words.h"
#include "evidence/lock.h"
#include "plan/plan.h"

namespace sibyl::draft {

struct SplitInputs {
  const plan::Part& part;
  const evidence::Lock& lock;
  /// With it, definitions are `NAME:PATH:10-20` where that is the same citation.
  evidence::PlaceFinder find_place = {};
};

/// The footnotes of a page, in their order. Lines that are not are skipped.
std::vector<KeptLabel> ReadLabels(std::string_view page);

/// kUsage, with the line, if the page has text that is in none of the part's
/// sections: nothing is dropped silently. A section of the plan that the page
/// does not have is not in the answer.
Result<std::vector<AgentSection>> SplitPage(std::string_view page, const SplitInputs& inputs);

}  // namespace sibyl::draft
