// SPDX-License-Identifier: Apache-2.0
// From what somebody asked to the terms to look for, and how much each counts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "index/words/term_forms.h"

namespace sibyl::index {

enum class QueryTermKind {
  kWord,         ///< Finds passages: a word, or the stem that stands for its forms.
  kWritten,      ///< The form as it was written; decides between what the stem found.
  kSecondary,    ///< A part of an identifier, or a word of the context.
  kAlternative,  ///< What the sources may call it.
};

struct QueryTerm {
  std::string text;
  float boost = 1;  ///< To be multiplied with how rare the term is.
  QueryTermKind kind = QueryTermKind::kWord;
};

/// Terms of the question and of its context, and what thesaurus and glossary have to say to
/// them; none twice, at most `limit`, the heaviest first. Words that say nothing
/// (how, does, the) are left out unless there are no others.
std::vector<QueryTerm> TermsOf(std::string_view text, std::string_view context, TermForms& forms,
                               std::size_t limit);

/// Asked in words that hang together, rather than in names and keywords.
bool IsProse(std::string_view text);

/// A word that says nothing about what a question is about.
bool IsStopWord(std::string_view lower);

}  // namespace sibyl::index
