// SPDX-License-Identifier: Apache-2.0
// A knowledge file out of the sections that an agent wrote. The agent writes
// bodies; title, stamp, numbers, the table of points, what was not found and the
// sources are ours, so that none of them can be wrong.
//
// In a body, "### POINT" in the plan's words says which point follows, and
// footnotes cite: "[^a]" behind a statement, "[^a]: CITATION" on a line of its
// own. docs/formats/mcp.md has the rules.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "draft/agent/agent_receipts.h"
#include "draft/draft.h"
#include "evidence/lock.h"
#include "plan/plan.h"

namespace sibyl::draft {

struct AgentSection {
  std::size_t place = 0;  ///< Among SectionsOf(part), from zero.
  std::string text;       ///< As it was given; empty: nothing was found for it.
};

struct AgentPageInputs {
  const plan::Plan& plan;
  const plan::Part& part;
  const evidence::Lock& lock;  ///< Names the sources that are cited.
  std::string program;         ///< Who made it, as the stamp says.
  Time time;                   ///< What the stamp is dated.
};

/// Something that the form of a section forbids, told before the gate is asked.
struct FormComplaint {
  LineOrigin origin;
  std::string code;  ///< "draft/heading", "draft/citation", "draft/comment"
  std::string message;
  std::string hint;
};

struct AgentPage {
  Draft draft;
  std::vector<LineOrigin> origins;  ///< For each line of the text.
  std::vector<FormComplaint> complaints;
  std::size_t citations = 0;
};

/// `sections` in the order of their places. Only these are in the page and in
/// what the draft promises; the same inputs give the same bytes.
AgentPage ComposeAgentPage(const AgentPageInputs& inputs,
                           const std::vector<AgentSection>& sections);

}  // namespace sibyl::draft
