// SPDX-License-Identifier: Apache-2.0
#include "index/rank/looked_up_terms.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "index/rank/scorer.h"
#include "index/vectors/vector_query.h"

namespace sibyl::index {
namespace {

// Secondary terms that are rarer find passages themselves; more common ones only affect the
// rank of passages that others found.
constexpr float kCommonShare = 0.03F;

float Rarity(std::uint64_t passages, std::uint64_t with_term) {
  const auto all = static_cast<float>(passages);
  const auto with = static_cast<float>(std::min(with_term, passages));
  return std::log(1 + (all - with + 0.5F) / (with + 0.5F));
}

// Words find passages. So do rare secondary terms and alternatives, and all secondary terms if
// the words find too little.
void ChooseFinders(std::uint64_t passages, std::size_t wanted, std::vector<LookedUpTerm>& terms) {
  std::uint64_t found = 0;
  std::size_t words = 0;
  for (const LookedUpTerm& term : terms) {
    if (term.kind != QueryTermKind::kWord) continue;
    found = std::max(found, term.passage_count);
    ++words;
  }
  const auto common = static_cast<std::uint64_t>(kCommonShare * static_cast<float>(passages));
  for (LookedUpTerm& term : terms) {
    const bool is_rare = term.passage_count < common;
    switch (term.kind) {
      case QueryTermKind::kWord:
        term.finds = true;
        break;
      case QueryTermKind::kWritten:
        break;
      case QueryTermKind::kSecondary:
        term.finds = found < wanted || (words != 1 && is_rare);
        break;
      case QueryTermKind::kAlternative:
        term.finds = is_rare;
        break;
    }
  }
}

void ScaleWeights(std::vector<LookedUpTerm>& terms) {
  float sum = 0;
  for (const LookedUpTerm& term : terms) {
    if (term.finds) sum += term.weight;
  }
  const float scale = static_cast<float>(kMaxWeightSum - kMaxQueryTerms) / sum;
  for (LookedUpTerm& term : terms) {
    if (!term.finds) continue;
    term.whole_weight = std::max(1U, static_cast<std::uint32_t>(term.weight * scale));
  }
}

// The glossary is of one field; whether the sources are of it is known with their vectors only.
GlossaryUse UseOfGlossary(const std::vector<Searcher::Part>& parts) {
  constexpr std::uint32_t kFewestPercent = 33;
  for (const Searcher::Part& part : parts) {
    const VectorRows* rows = part.index->vectors();
    if (rows != nullptr && rows->file->glossary_percent() < kFewestPercent) {
      return GlossaryUse::kIsLeftOut;
    }
  }
  return GlossaryUse::kExplains;
}

}  // namespace

std::vector<LookedUpTerm> LookUpTerms(const Query& query,
                                      const std::vector<Searcher::Part>& parts) {
  static thread_local TermForms forms;
  std::uint64_t passages = 0;
  for (const Searcher::Part& part : parts) passages += part.part->segment.passage_count();
  std::vector<LookedUpTerm> terms;
  for (QueryTerm& term :
       TermsOf(query.text, query.context, forms, kMaxQueryTerms, UseOfGlossary(parts))) {
    LookedUpTerm looked_up;
    looked_up.kind = term.kind;
    looked_up.postings.reserve(parts.size());
    for (const Searcher::Part& part : parts) {
      looked_up.postings.push_back(part.part->segment.Find(term.text).value_or(TermPostings{}));
      looked_up.passage_count += looked_up.postings.back().passage_count;
    }
    if (looked_up.passage_count == 0) continue;
    looked_up.weight = term.boost * Rarity(passages, looked_up.passage_count);
    looked_up.boost = term.boost;
    looked_up.text = std::move(term.text);
    terms.push_back(std::move(looked_up));
  }
  ChooseFinders(passages, 2 * query.limit, terms);
  ScaleWeights(terms);
  return terms;
}

}  // namespace sibyl::index
