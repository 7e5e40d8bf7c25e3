// SPDX-License-Identifier: Apache-2.0
// What the things of the sources are, said in plain words. Who asks for "host
// memory that is never swapped out" has none of the words of "pinned", but some
// of those in which one would explain it. A question is held against all the
// explanations, as a search in a dictionary would be, and the names of those that
// explain it best are looked for as well. Unlike the rules of the thesaurus no
// entry asks for certain words, so that a stranger's wording finds it too.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "index/words/term_forms.h"

namespace sibyl::index {

/// Something that a question may be about.
struct Meaning {
  float share = 0;                      ///< How much of the question its entry has, up to 1.
  float known = 0;                      ///< How much of the question is names of it, up to 1.
  std::vector<std::string_view> names;  ///< What the sources call it, in the glossary's table.
};

/// Reads its tables anew for every question, in 0.3 ms for a short one and 1 ms for a long one:
/// making anything of them first would take longer, and most processes ask one.
class Glossary {
 public:
  /// An entry a line: names, a colon between blanks, plain words. Synonyms: a group a
  /// line. Lines that begin with # say nothing. All in lower case. Borrows all of it.
  Glossary(std::span<const std::string_view> tables, std::string_view synonyms)
      : tables_view_(tables), synonyms_view_(synonyms) {}

  static Glossary Ours();

  /// The likeliest first, and only those that are about as likely as the first. Words of
  /// the context count for less, and alone for nothing.
  std::vector<Meaning> Explain(std::string_view question, std::string_view context,
                               TermForms& forms) const;

 private:
  std::span<const std::string_view> tables_view_;
  std::string_view synonyms_view_;
};

}  // namespace sibyl::index
