// SPDX-License-Identifier: Apache-2.0
#include "index/glossary.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "index/glossary_words.h"
#include "index/query_terms.h"
#include "index/synonym_words.h"
#include "index/words.h"

namespace sibyl::index {
namespace {

// All found by the ranking evaluation; docs/ranking.md has the figures.
//
// What a word of the context counts for, and a word for which the explanation has
// another with the same meaning.
constexpr float kContextShare = 0.5F;
constexpr float kSynonymShare = 0.4F;
// One word alone is in many explanations by chance.
constexpr std::size_t kFewestMatches = 2;
constexpr float kLeastShare = 0.25F;
// Of the likeliest meaning: what is less likely than this is another matter.
constexpr float kLeastOfBest = 0.75F;
constexpr std::size_t kMostMeanings = 3;
// How far long explanations, which have more words by chance, are held back.
constexpr float kLengthShare = 0.2F;

// Of our table; more find room as well.
constexpr std::size_t kExpectedWords = 4096;
constexpr std::uint32_t kNowhere = ~0U;

template <typename Visit>
void ForEachLine(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!line.empty() && !line.starts_with('#')) visit(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::vector<std::string_view> WordsOf(std::string_view text, WordScanner& scanner) {
  const std::span<const std::uint32_t> edges = scanner.Scan(text);
  std::vector<std::string_view> words;
  words.reserve(edges.size() / 2);
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    words.push_back(text.substr(edges[i], edges[i + 1] - edges[i]));
  }
  return words;
}

}  // namespace

/// Each word as it is written is looked at once: a process that asks one question waits for
/// all of this.
struct Glossary::Making {
  TermForms forms;
  WordScanner scanner;
  std::unordered_map<std::string_view, std::uint32_t> known;
};

/// What the words of a question say for the entries.
struct Glossary::Matches {
  explicit Matches(std::size_t entries)
      : sums(entries), names(entries), counts(entries), gains(entries) {}

  std::vector<float> sums;
  std::vector<float> names;         // what of it are names
  std::vector<std::size_t> counts;  // of words of the question itself
  float all = 0;                    // what an entry with all the words would have
  std::vector<float> gains;         // of the word that is being matched
};

Glossary::Glossary(std::string_view entries, std::string_view synonyms) {
  Making making;
  making.known.reserve(kExpectedWords);
  places_.reserve(kExpectedWords);
  words_.reserve(kExpectedWords);
  ForEachLine(entries, [&](std::string_view line) { AddEntry(line, making); });
  for (const Entry& entry : entries_) mean_word_count_ += static_cast<float>(entry.word_count);
  mean_word_count_ /= static_cast<float>(std::max<std::size_t>(1, entries_.size()));
  ForEachLine(synonyms, [&](std::string_view line) { AddSynonyms(line, making); });
}

const Glossary& Glossary::Ours() {
  static const Glossary ours(kGlossary, kSynonyms);
  return ours;
}

// Names are among the words: who knows one of them may mean the others.
void Glossary::AddEntry(std::string_view line, Making& making) {
  const std::vector<std::string_view> words = WordsOf(line, making.scanner);
  const char* const end = line.data() + std::min(line.find(" : "), line.size());
  const auto is_name = [end](std::string_view word) { return word.data() < end; };
  const auto plain = std::partition_point(words.begin(), words.end(), is_name);
  entries_.push_back({.names = {words.begin(), plain}, .word_count = 0});
  for (const std::string_view word : words) {
    AddToEntry(word, is_name(word), making);
    if (word.find('_') == std::string_view::npos) continue;
    for (const std::string_view part : making.forms.Parts(word)) {
      AddToEntry(part, is_name(word), making);
    }
  }
}

void Glossary::AddToEntry(std::string_view word, bool is_name, Making& making) {
  const std::uint32_t place = PlaceOf(word, making);
  if (place == kNowhere) return;
  const auto entry = static_cast<std::uint32_t>(entries_.size() - 1);
  std::vector<Use>& uses = words_[place].uses;
  if (!uses.empty() && uses.back().entry == entry) return;
  uses.push_back({.entry = entry, .is_name = is_name});
  ++entries_.back().word_count;
}

void Glossary::AddSynonyms(std::string_view line, Making& making) {
  std::vector<std::uint32_t> group;
  for (const std::string_view word : WordsOf(line, making.scanner)) {
    const std::uint32_t place = PlaceOf(word, making);
    if (place != kNowhere) group.push_back(place);
  }
  for (const std::uint32_t one : group) {
    for (const std::uint32_t other : group) {
      if (one != other) words_[one].synonyms.push_back(other);
    }
  }
}

std::uint32_t Glossary::PlaceOf(std::string_view lower, Making& making) {
  const auto [known, is_unknown] = making.known.try_emplace(lower, kNowhere);
  if (!is_unknown || IsStopWord(lower)) return known->second;
  const auto next = static_cast<std::uint32_t>(words_.size());
  const auto [place, is_new] = places_.try_emplace(std::string(making.forms.Stem(lower)), next);
  if (is_new) words_.emplace_back();
  return known->second = place->second;
}

float Glossary::Rarity(const Word& word) const {
  if (word.uses.empty()) return 0;
  return std::log(1 + static_cast<float>(entries_.size()) / static_cast<float>(word.uses.size()));
}

void Glossary::Match(const Word& word, float share, Matches& matches) const {
  std::fill(matches.gains.begin(), matches.gains.end(), 0.0F);
  const float own = Rarity(word);
  float most = own;
  for (const Use& use : word.uses) {
    matches.gains[use.entry] = own;
    if (use.is_name) matches.names[use.entry] += share * own;
  }
  for (const std::uint32_t place : word.synonyms) {
    const float rarity = Rarity(words_[place]);
    // A rare synonym of a common word says no more than the word would.
    const float gain = kSynonymShare * (own > 0 ? std::min(own, rarity) : rarity);
    most = std::max(most, gain);
    for (const Use& use : words_[place].uses) {
      matches.gains[use.entry] = std::max(matches.gains[use.entry], gain);
    }
  }
  matches.all += share * most;
  for (std::size_t entry = 0; entry < matches.gains.size(); ++entry) {
    matches.sums[entry] += share * matches.gains[entry];
    if (share >= 1 && matches.gains[entry] > 0) ++matches.counts[entry];
  }
}

Meaning Glossary::MeaningOf(std::size_t entry, const Matches& matches) const {
  if (matches.counts[entry] < kFewestMatches) return {};
  const float length = static_cast<float>(entries_[entry].word_count) / mean_word_count_;
  const float share = matches.sums[entry] / matches.all;
  return {.share = std::min(1.0F, share / (1 - kLengthShare + kLengthShare * length)),
          .known = matches.names[entry] / matches.all,
          .names = entries_[entry].names};
}

std::vector<Meaning> Glossary::Explain(std::string_view question, std::string_view context,
                                       TermForms& forms) const {
  Matches matches(entries_.size());
  std::vector<std::uint32_t> seen;
  WordScanner scanner;
  const auto match_all = [&](std::string_view text, float share) {
    std::string lower;
    for (const std::string_view word : WordsOf(text, scanner)) {
      lower.clear();
      AppendLower(word, lower);
      if (IsStopWord(lower)) continue;
      // What no explanation has says nothing about which of them it is.
      const auto place = places_.find(std::string(forms.Stem(lower)));
      if (place == places_.end()) continue;
      if (std::find(seen.begin(), seen.end(), place->second) != seen.end()) continue;
      seen.push_back(place->second);
      Match(words_[place->second], share, matches);
    }
  };
  match_all(question, 1);
  match_all(context, kContextShare);
  std::vector<Meaning> meanings;
  for (std::size_t entry = 0; entry < entries_.size(); ++entry) {
    const Meaning meaning = MeaningOf(entry, matches);
    if (meaning.share >= kLeastShare) meanings.push_back(meaning);
  }
  std::stable_sort(meanings.begin(), meanings.end(),
                   [](const Meaning& a, const Meaning& b) { return a.share > b.share; });
  if (meanings.size() > kMostMeanings) meanings.resize(kMostMeanings);
  while (!meanings.empty() && meanings.back().share < kLeastOfBest * meanings[0].share) {
    meanings.pop_back();
  }
  return meanings;
}

}  // namespace sibyl::index
