// SPDX-License-Identifier: Apache-2.0
// Turns a query into weighted terms.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "index/words/term_forms.h"

namespace sibyl::index {

enum class QueryTermKind {
  kWord,         ///< Finds passages: a word, or the stem that represents its forms.
  kWritten,      ///< The form as written; only affects the rank of what the stem found.
  kSecondary,    ///< A part of an identifier, or a word of the context.
  kAlternative,  ///< Another name that the sources may use.
};

struct QueryTerm {
  std::string text;
  float boost = 1;  ///< Factor to the rarity of the term.
  QueryTermKind kind = QueryTermKind::kWord;
};

enum class GlossaryUse { kExplains, kIsLeftOut };

/// The terms of the query and its context, and what the thesaurus and the glossary add; no
/// duplicates, at most `limit`, the heaviest first. Stop words (how, does, the) are omitted
/// unless there are no others.
std::vector<QueryTerm> TermsOf(std::string_view text, std::string_view context, TermForms& forms,
                               std::size_t limit, GlossaryUse glossary = GlossaryUse::kExplains);

/// Whether the query is a sentence rather than names and keywords.
bool IsProse(std::string_view text);

/// Whether the word says nothing about the topic of a query.
bool IsStopWord(std::string_view lower);

}  // namespace sibyl::index
