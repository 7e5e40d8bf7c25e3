// SPDX-License-Identifier: Apache-2.0
// Maps everyday wording to the words of the sources: a user who asks how to "record work once
// and run it again" means the capture and replay of a graph. A hand-written table of rules
// rather than synonyms: one everyday word says little, several together say much.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "index/words/term_forms.h"

namespace sibyl::index {

/// Further words to search for. The more groups of words a rule requires, the more certain it
/// is.
struct Alternative {
  std::size_t group_count = 1;
  std::vector<std::string_view> words;  ///< Lower-case literals.
};

/// The alternatives of a question, in the order of the table.
std::vector<Alternative> FindAlternatives(std::string_view question, TermForms& forms);

/// The same with rules in the format of words/thesaurus.txt; for tests.
std::vector<Alternative> FindAlternatives(std::string_view question, std::string_view rules,
                                          TermForms& forms);

}  // namespace sibyl::index
