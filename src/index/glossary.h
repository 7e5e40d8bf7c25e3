// SPDX-License-Identifier: Apache-2.0
// What the things of the sources are, said in plain words. Who asks for "host
// memory that is never swapped out" has none of the words of "pinned", but some
// of those in which one would explain it. A question is held against all the
// explanations, as a search in a dictionary would be, and the names of those that
// explain it best are looked for as well. Unlike the rules of the thesaurus no
// entry asks for certain words, so that a stranger's wording finds it too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/term_forms.h"

namespace sibyl::index {

/// Something that a question may be about.
struct Meaning {
  float share = 0;                          ///< How much of the question its entry has, up to 1.
  float known = 0;                          ///< How much of the question is names of it, up to 1.
  std::span<const std::string_view> names;  ///< What the sources call it; as long as the glossary.
};

/// Immutable; may be shared between threads.
class Glossary {
 public:
  /// An entry a line: names, a colon between blanks, plain words. Synonyms: a group a
  /// line. Lines that begin with # say nothing. Borrows `entries`.
  Glossary(std::string_view entries, std::string_view synonyms);

  /// Ours; made when it is first asked for.
  static const Glossary& Ours();

  /// The likeliest first, and only those that are about as likely as the first. Words of
  /// the context count for less, and alone for nothing.
  std::vector<Meaning> Explain(std::string_view question, std::string_view context,
                               TermForms& forms) const;

 private:
  struct Entry {
    std::vector<std::string_view> names;
    std::size_t word_count = 0;
  };
  struct Use {
    std::uint32_t entry = 0;
    bool is_name = false;
  };
  struct Word {
    std::vector<Use> uses;
    std::vector<std::uint32_t> synonyms;  // places in words_
  };
  struct Making;
  struct Matches;

  void AddEntry(std::string_view line, Making& making);
  void AddToEntry(std::string_view word, bool is_name, Making& making);
  void AddSynonyms(std::string_view line, Making& making);
  std::uint32_t PlaceOf(std::string_view lower, Making& making);  // kNowhere: says nothing
  float Rarity(const Word& word) const;
  void Match(const Word& word, float share, Matches& matches) const;
  Meaning MeaningOf(std::size_t entry, const Matches& matches) const;

  std::vector<Entry> entries_;
  std::vector<Word> words_;
  std::unordered_map<std::string, std::uint32_t> places_;  // of stems, in words_
  float mean_word_count_ = 0;
};

}  // namespace sibyl::index
