// SPDX-License-Identifier: Apache-2.0
#include "index/rank/query_terms.h"

#include <algorithm>
#include <array>
#include <span>

#include "index/words/glossary.h"
#include "index/words/thesaurus.h"
#include "index/words/wanted_stems.h"
#include "index/words/words.h"

namespace sibyl::index {
namespace {

// Tuned by the ranking evaluation; docs/ranking.md has the figures.
constexpr float kWholeBoost = 1.0F;
// If a word has a stem, the stem finds passages and the word as written ranks them.
constexpr float kStemBoost = 0.9F;
constexpr float kWrittenBoost = 0.5F;
constexpr float kPartBoost = 0.35F;
constexpr float kPartStemBoost = 0.2F;
constexpr float kContextWeight = 0.6F;
// For rules of the thesaurus that required three groups of words, two, or one.
constexpr std::array<float, 3> kAlternativeBoosts = {0.5F, 0.375F, 0.25F};

// For a meaning that explains the whole question; the second for a bullet of a plan, which uses
// the words of the sources more often than a question does.
constexpr float kMeaningBoost = 1.4F;
constexpr float kBulletMeaningBoost = 0.7F;
// The least share of a bullet and its topic that a meaning must explain.
constexpr float kLeastOfBullet = 0.5F;
constexpr float kUsualWords = 7;
constexpr float kMostLengthFactor = 2;
// By how much the names of a thing weigh less if the query consists only of names of it.
constexpr float kKnownShare = 0.8F;

// Sorted. Question words, articles, auxiliaries, prepositions and conjunctions.
constexpr std::array<std::string_view, 71> kStopWords = {
    "a",      "about",  "after", "all",  "an",   "and",   "any",   "are",  "as",   "at",    "be",
    "been",   "before", "but",   "by",   "can",  "could", "did",   "do",   "does", "each",  "for",
    "from",   "had",    "has",   "have", "how",  "i",     "if",    "in",   "into", "is",    "it",
    "its",    "me",     "must",  "my",   "no",   "not",   "of",    "on",   "one",  "or",    "our",
    "should", "so",     "such",  "than", "that", "the",   "their", "them", "then", "there", "these",
    "they",   "this",   "to",    "use",  "used", "using", "was",   "we",   "what", "when",  "where",
    "which",  "who",    "why",   "with", "you"};
static_assert(std::is_sorted(kStopWords.begin(), kStopWords.end()));

// Where the stop words of each first letter begin; the last element is the end.
constexpr auto kStopWordsOfLetter = [] {
  std::array<std::uint8_t, 27> begins{};
  for (std::size_t letter = 0; letter < begins.size(); ++letter) {
    const auto first = static_cast<char>('a' + letter);
    begins[letter] = static_cast<std::uint8_t>(
        std::count_if(kStopWords.begin(), kStopWords.end(),
                      [first](std::string_view word) { return word[0] < first; }));
  }
  return begins;
}();

class Collected {
 public:
  void Add(std::string_view text, float boost, QueryTermKind kind) {
    for (QueryTerm& term : terms_) {
      if (term.text == text) {
        term.boost += boost;
        term.kind = std::min(term.kind, kind);
        return;
      }
    }
    terms_.push_back({.text = std::string(text), .boost = boost, .kind = kind});
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
    const std::span<const TermForm> derived = forms.Derive(word);
    if (stop_words == StopWords::kSkip && IsStopWord(derived[0].text)) continue;
    const bool is_stemmed = derived.size() > 1 && derived[1].kind == FormKind::kStem;
    const QueryTermKind kind = share < 1 ? QueryTermKind::kSecondary : QueryTermKind::kWord;
    if (is_stemmed) {
      collected.Add(derived[1].text, share * kStemBoost, kind);
      collected.Add(derived[0].text, share * kWrittenBoost, QueryTermKind::kWritten);
    } else {
      collected.Add(derived[0].text, share * kWholeBoost, kind);
    }
    for (const TermForm& form : derived.subspan(is_stemmed ? 2 : 1)) {
      const bool is_part = form.kind == FormKind::kPart;
      collected.Add(form.text, share * (is_part ? kPartBoost : kPartStemBoost),
                    QueryTermKind::kSecondary);
    }
  }
}

void AddAlternatives(std::string_view text, TermForms& forms, Collected& collected) {
  for (const Alternative& alternative : FindAlternatives(text, forms)) {
    const std::size_t groups = std::min(alternative.group_count, kAlternativeBoosts.size());
    const float boost = kAlternativeBoosts[kAlternativeBoosts.size() - groups];
    for (const std::string_view word : alternative.words) {
      collected.Add(forms.Stem(word), boost, QueryTermKind::kAlternative);
    }
  }
}

struct WordCounts {
  std::size_t stop_words = 0;
  std::size_t others = 0;
};

WordCounts CountWords(std::string_view text) {
  WordCounts counts;
  for (const std::string& word : LowerWords(text)) {
    ++(IsStopWord(word) ? counts.stop_words : counts.others);
  }
  return counts;
}

// False for names and keywords, which are the words of the sources already (even with an "of"
// between them), and for very short queries, whose meaning is unclear.
bool MayNeedExplaining(const WordCounts& counts) {
  constexpr std::size_t kFewestStopWords = 2;
  constexpr std::size_t kFewestOthers = 4;
  return counts.stop_words >= kFewestStopWords && counts.others >= kFewestOthers;
}

// Every word of a long question finds unrelated passages, so the names of a meaning need more
// weight.
float LengthFactor(const WordCounts& counts) {
  return std::clamp(static_cast<float>(counts.others) / kUsualWords, 1.0F, kMostLengthFactor);
}

void AddMeanings(std::string_view text, std::string_view context, const WordCounts& counts,
                 TermForms& forms, Collected& collected) {
  const float boost = context.empty() ? kMeaningBoost * LengthFactor(counts) : kBulletMeaningBoost;
  for (const Meaning& meaning : Glossary::Ours().Explain(text, context, forms)) {
    if (!context.empty() && meaning.share < kLeastOfBullet) break;
    const float worth = boost * meaning.share * (1 - kKnownShare * meaning.known);
    for (const std::string_view name : meaning.names) {
      collected.Add(forms.Stem(name), worth, QueryTermKind::kAlternative);
    }
  }
}

}  // namespace

bool IsProse(std::string_view text) { return CountWords(text).stop_words > 0; }

bool IsStopWord(std::string_view lower) {
  if (lower.empty() || lower[0] < 'a' || lower[0] > 'z') return false;
  const auto letter = static_cast<std::size_t>(lower[0] - 'a');
  const auto* const begin = kStopWords.begin() + kStopWordsOfLetter[letter];
  const auto* const end = kStopWords.begin() + kStopWordsOfLetter[letter + 1];
  return std::find(begin, end, lower) != end;
}

std::vector<QueryTerm> TermsOf(std::string_view text, std::string_view context, TermForms& forms,
                               std::size_t limit, GlossaryUse glossary) {
  Collected collected;
  AddWords(text, 1, StopWords::kSkip, forms, collected);
  if (collected.is_empty()) AddWords(text, 1, StopWords::kKeep, forms, collected);
  AddWords(context, kContextWeight, StopWords::kSkip, forms, collected);
  const WordCounts counts = CountWords(text);
  if (counts.stop_words > 0) AddAlternatives(text, forms, collected);
  if (glossary == GlossaryUse::kExplains && (!context.empty() || MayNeedExplaining(counts))) {
    AddMeanings(text, context, counts, forms, collected);
  }
  return collected.Take(limit);
}

}  // namespace sibyl::index
