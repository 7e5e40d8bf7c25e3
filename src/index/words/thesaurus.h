// SPDX-License-Identifier: Apache-2.0
// What people call things, and what the sources call them: who asks how to
// "record work once and run it again" means the capture and replay of a graph.
// A table of our own, of rules rather than synonyms: single everyday words say
// little, some of them together say much.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "index/words/term_forms.h"

namespace sibyl::index {

/// Words to look for as well. The more groups of words a rule asked for, the
/// surer it is of what the question is about.
struct Alternative {
  std::size_t group_count = 1;
  std::vector<std::string_view> words;  ///< In lower case; literals.
};

/// The alternatives of a question, in the order of the table.
std::vector<Alternative> FindAlternatives(std::string_view question, TermForms& forms);

/// The same with rules in the format of words/thesaurus.txt; for tests.
std::vector<Alternative> FindAlternatives(std::string_view question, std::string_view rules,
                                          TermForms& forms);

}  // namespace sibyl::index
