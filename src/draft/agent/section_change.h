// SPDX-License-Identifier: Apache-2.0
// A sentence of a published page exchanged for another, in the sections as an
// agent would draft them.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "draft/agent/agent_page.h"

namespace sibyl::draft {

struct SectionChange {
  /// As the page has it, or as it is read: without marks, lines joined.
  std::string old_text;
  /// The marks of the old text stay after it, unless it has some.
  std::string new_text;
};

/// Targets of marks that the section does not define yet: "a" to "notes:a.md:3".
using NewReceipts = std::map<std::string, std::string, std::less<>>;

/// Makes the change in the one place of `sections` that has the old text, with
/// the definitions of the marks that the new text uses: from `receipts`, or
/// from another section. Returns the section's place in `sections`.
Result<std::size_t> ChangeSection(std::vector<AgentSection>& sections, const SectionChange& change,
                                  const NewReceipts& receipts);

}  // namespace sibyl::draft
