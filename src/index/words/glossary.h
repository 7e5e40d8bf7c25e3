// SPDX-License-Identifier: Apache-2.0
// Explanations of technical terms in plain words. A question such as "host memory that is never
// swapped out" shares no word with "pinned", but some with its explanation; the terms whose
// explanations match best are searched for too. Unlike a rule of the thesaurus, an entry
// requires no particular words, so that it also matches unexpected wording.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "index/words/term_forms.h"

namespace sibyl::index {

/// A term that the question may be about.
struct Meaning {
  float share = 0;  ///< The share of the question that its entry matches, up to 1.
  float known = 0;  ///< The share of the question that consists of its names, up to 1.
  std::vector<std::string_view>
      names;  ///< Its names in the sources; views into the glossary's table.
};

/// Reads its tables for every question, in 0.3 ms for a short one and 1 ms for a long one:
/// preparing them would take longer, and most processes handle one question.
class Glossary {
 public:
  /// One entry per line: names, " : ", plain words. Synonyms: one group per line. Lines that
  /// begin with # are comments. All lower case. Borrows its arguments.
  Glossary(std::span<const std::string_view> tables, std::string_view synonyms)
      : tables_view_(tables), synonyms_view_(synonyms) {}

  static Glossary Ours();

  /// The likeliest first, and only those about as likely as the first. Words of the context
  /// count less, and nothing on their own.
  std::vector<Meaning> Explain(std::string_view question, std::string_view context,
                               TermForms& forms) const;

  /// The share of the entries all of whose names `has` knows, as written or as a stem: whether
  /// sources are of the glossary's field.
  float KnownShare(const std::function<bool(std::string_view)>& has, TermForms& forms) const;

 private:
  std::span<const std::string_view> tables_view_;
  std::string_view synonyms_view_;
};

}  // namespace sibyl::index
