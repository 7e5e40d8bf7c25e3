// SPDX-License-Identifier: Apache-2.0
#include "index/builder/word_finder.h"

namespace sibyl::index {
namespace {

// Adds a term unless it is there; keeps the weight of the whole word, otherwise the highest.
void AddTerm(WeightedTerm added, std::vector<WeightedTerm>& terms) {
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (!terms[i].IsSameTerm(added)) continue;
    if (i > 0 && added.eighths() > terms[i].eighths()) terms[i] = added;
    return;
  }
  terms.push_back(added);
}

}  // namespace

// Like TermForms::Derive, but with terms instead of texts.
WordTable::Cell& WordFinder::Derive(const WordKey& key, std::uint64_t hash, std::string_view word) {
  lower_.clear();
  AppendLower(word, lower_);
  // Prefetches everything that is needed below.
  const Vocabulary::Wanted whole(lower_);
  vocabulary_.Prefetch(whole);
  const std::span<const std::string_view> parts = term_forms_.Parts(word);
  part_keys_.clear();
  for (const std::string_view part : parts) {
    part_keys_.push_back(WordKey::Of(part.data(), part.size()));
    table_.Prefetch(part_keys_.back().Hash());
  }
  terms_.clear();
  const std::string_view stem = term_forms_.Stem(lower_);
  terms_.push_back({vocabulary_.Intern(whole), kWholeEighths});
  if (stem != lower_) {
    AddTerm({vocabulary_.Intern(Vocabulary::Wanted(stem)), kStemEighths}, terms_);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const PartTerms known = FindPart(part_keys_[i], parts[i]);
    AddTerm(known.whole, terms_);
    if (!known.stem.is_nothing()) AddTerm(known.stem, terms_);
  }
  return table_.Add({.key = key, .hash = hash, .word = word, .terms = terms_}, use_);
}

namespace {

// A part is stored like any other word, but has another weight, and no parts.
WordFinder::PartTerms AsPart(const WordTable& table, const WordTable::Terms& terms) {
  WordFinder::PartTerms part;
  table.ForEach(terms, [&](WeightedTerm term) {
    if (part.whole.is_nothing()) {
      part.whole = term.With(kPartEighths);
    } else if (term.eighths() == kStemEighths) {
      part.stem = term.With(kPartStemEighths);
    }
  });
  return part;
}

}  // namespace

WordFinder::PartTerms WordFinder::FindPart(const WordKey& key, std::string_view part) {
  const std::uint64_t hash = key.Hash();
  const Recent& recent = recent_[RecentPlace(hash)];
  if (recent.key == key && part.size() <= WordKey::kExactBytes) {
    return AsPart(table_, recent.terms);
  }
  if (const WordTable::Cell* cell = table_.Find(key, hash, part)) {
    return AsPart(table_, WordTable::TermsOf(*cell));
  }
  PartTerms found;
  part_terms_.clear();
  lower_.clear();
  AppendLower(part, lower_);
  const TermId whole = vocabulary_.Intern(Vocabulary::Wanted(lower_));
  found.whole = {whole, kPartEighths};
  part_terms_.push_back({whole, kWholeEighths});
  if (const std::string_view stem = term_forms_.Stem(lower_); stem != lower_) {
    const TermId id = vocabulary_.Intern(Vocabulary::Wanted(stem));
    found.stem = {id, kPartStemEighths};
    part_terms_.push_back({id, kStemEighths});
  }
  // Not cached: the cache contains only words that occur as whole words.
  table_.Add({.key = key, .hash = hash, .word = part, .terms = part_terms_}, use_);
  return found;
}

}  // namespace sibyl::index
