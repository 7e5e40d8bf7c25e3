// SPDX-License-Identifier: Apache-2.0
#include "index/query_terms.h"

#include <algorithm>
#include <array>

#include "index/words.h"

namespace sibyl::index {
namespace {

// Found by the ranking evaluation.
constexpr float kWholeBoost = 1.0F;
constexpr float kStemBoost = 0.6F;
constexpr float kPartBoost = 0.35F;
constexpr float kPartStemBoost = 0.2F;
constexpr float kContextShare = 0.25F;

// Sorted. Question words, articles, auxiliaries, prepositions; not "if" and
// the like, which a question about a language may be about.
constexpr std::array<std::string_view, 71> kStopWords = {
    "a",     "about", "after", "all",   "an",     "and",   "any",   "are",   "as",    "at",
    "be",    "been",  "before", "but",  "by",     "can",   "could", "did",   "do",    "does",
    "each",  "for",   "from",  "had",   "has",    "have",  "how",   "i",     "if",    "in",
    "into",  "is",    "it",    "its",   "me",     "must",  "my",    "no",    "not",   "of",
    "on",    "one",   "or",    "our",   "should", "so",    "such",  "than",  "that",  "the",
    "their", "them",  "then",  "there", "these",  "they",  "this",  "to",    "use",   "used",
    "using", "was",   "we",    "what",  "when",   "where", "which", "who",   "why",   "with",
    "you"};
static_assert(std::is_sorted(kStopWords.begin(), kStopWords.end()));

class Collected {
 public:
  void Add(std::string_view text, float boost) {
    for (QueryTerm& term : terms_) {
      if (term.text == text) {
        term.boost += boost;
        return;
      }
    }
    terms_.push_back({.text = std::string(text), .boost = boost});
  }

  std::vector<QueryTerm> Take(std::size_t limit) {
    std::stable_sort(terms_.begin(), terms_.end(),
                     [](const QueryTerm& a, const QueryTerm& b) { return a.boost > b.boost; });
    if (terms_.size() > limit) terms_.resize(limit);
    return std::move(terms_);
  }
  bool is_empty() const { return terms_.empty(); }

 private:
  std::vector<QueryTerm> terms_;
};

enum class StopWords { kSkip, kKeep };

void AddWords(std::string_view text, float share, StopWords stop_words, TermForms& forms,
              Collected& collected) {
  const std::vector<std::uint32_t> edges = FindWordEdgesPortably(text);
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    const std::string_view word = text.substr(edges[i], edges[i + 1] - edges[i]);
    if (word.size() > kMaxWordBytes) continue;
    bool past_part = false;
    for (const TermForm& form : forms.Derive(word)) {
      if (form.kind == FormKind::kWhole && stop_words == StopWords::kSkip &&
          IsStopWord(form.text)) {
        break;
      }
      past_part |= form.kind == FormKind::kPart;
      float boost = kWholeBoost;
      if (form.kind == FormKind::kPart) boost = kPartBoost;
      if (form.kind == FormKind::kStem) boost = past_part ? kPartStemBoost : kStemBoost;
      collected.Add(form.text, share * boost);
    }
  }
}

}  // namespace

bool IsStopWord(std::string_view lower) {
  return std::binary_search(kStopWords.begin(), kStopWords.end(), lower);
}

std::vector<QueryTerm> TermsOf(std::string_view text, std::string_view context, TermForms& forms,
                               std::size_t limit) {
  Collected collected;
  AddWords(text, 1, StopWords::kSkip, forms, collected);
  if (collected.is_empty()) AddWords(text, 1, StopWords::kKeep, forms, collected);
  AddWords(context, kContextShare, StopWords::kSkip, forms, collected);
  return collected.Take(limit);
}

}  // namespace sibyl::index
