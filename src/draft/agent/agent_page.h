// SPDX-License-Identifier: Apache-2.0
// Builds a knowledge file from the sections that an agent wrote. The agent
// writes bodies; title, stamp, numbers, the table of points, open points and
// the sources are generated.
//
// In a body, "### POINT" in the plan's words names the point that follows, and
// footnotes cite: "[^a]" after a statement, "[^a]: CITATION" on a separate
// line. Items below "### Not found" go into the list at the end of the page.
// docs/formats/mcp.md has the rules.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "draft/agent/agent_receipts.h"
#include "draft/draft.h"
#include "evidence/cited_words.h"
#include "evidence/lock.h"
#include "plan/plan.h"

namespace sibyl::draft {

struct AgentSection {
  std::size_t place = 0;  ///< Among SectionsOf(part), from zero.
  std::string text;       ///< As given; empty: nothing was found for it.
};

struct AgentPageInputs {
  const plan::Plan& plan;
  const plan::Part& part;
  const evidence::Lock& lock;  ///< Names the sources that are cited.
  std::string program;         ///< The program in the stamp.
  Time time;                   ///< The date in the stamp.
  evidence::WordsFinder find_words = {};
  evidence::PlaceFinder find_place = {};
  /// The labels of the published page that this one replaces.
  std::vector<KeptLabel> kept = {};
};

/// A violation of the format of a section, reported before the gate is run.
struct FormComplaint {
  LineOrigin origin;
  std::string code;  ///< "draft/heading", "draft/citation", "draft/comment", "draft/not-found"
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
/// the draft's claims; the same inputs give the same bytes.
AgentPage ComposeAgentPage(const AgentPageInputs& inputs,
                           const std::vector<AgentSection>& sections);

}  // namespace sibyl::draft
