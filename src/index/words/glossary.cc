// SPDX-License-Identifier: Apache-2.0
#include "index/words/glossary.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "base/strings.h"
#include "index/mix.h"
#include "index/rank/query_terms.h"
#include "index/words/wanted_stems.h"
#include "index/words/word_files.h"
#include "index/words/words.h"

namespace sibyl::index {
namespace {

// Tuned by the ranking evaluation; docs/ranking.md has the figures.
//
// The weight of a word of the context, and of a word whose synonym is in the explanation.
constexpr float kContextShare = 0.5F;
constexpr float kSynonymShare = 0.4F;
// A single word is in many explanations by chance.
constexpr std::size_t kFewestMatches = 2;
constexpr float kLeastShare = 0.25F;
// Meanings below this share of the likeliest are dropped.
constexpr float kLeastOfBest = 0.75F;
constexpr std::size_t kMostMeanings = 3;
// The penalty for long explanations, which contain more words by chance.
constexpr float kLengthShare = 0.2F;

template <typename Visit>
void ForEachLine(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!line.empty() && !line.starts_with('#')) visit(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Splits one line after another into words.
class WordReader {
 public:
  /// Valid until the next call.
  std::span<const std::string_view> Words(std::string_view line) {
    const std::span<const std::uint32_t> edges = scanner_.Scan(line);
    words_.clear();
    for (std::size_t i = 0; i < edges.size(); i += 2) {
      words_.push_back(line.substr(edges[i], edges[i + 1] - edges[i]));
    }
    return words_;
  }

 private:
  WordScanner scanner_;
  std::vector<std::string_view> words_;
};

/// A word of the question.
struct Asked {
  std::size_t stem = 0;  // place in the wanted stems
  float share = 0;
  std::vector<std::size_t> synonyms;
};

/// The stems that matter to a question: its own and their synonyms.
class Wanted {
 public:
  explicit Wanted(TermForms& forms) : forms_(forms) {}

  void Ask(std::string_view text, float share) {
    for (const std::string& word : LowerWords(text)) {
      if (IsStopWord(word)) continue;
      const std::size_t before = stems_.size();
      const std::size_t stem = stems_.Add(forms_.Stem(word));
      if (stem == before) asked_.push_back({.stem = stem, .share = share, .synonyms = {}});
    }
  }

  /// Call for each group of synonyms, after all words of the question were added.
  void AddSynonyms(std::span<const std::string_view> group) {
    const auto is_asked = [this](std::string_view word) { return Find(word) < asked_.size(); };
    if (std::none_of(group.begin(), group.end(), is_asked)) return;
    std::vector<std::size_t> stems;
    for (const std::string_view word : group) {
      if (!IsStopWord(word)) stems.push_back(stems_.Add(forms_.Stem(word)));
    }
    for (const std::size_t one : stems) {
      if (one >= asked_.size()) continue;
      for (const std::size_t other : stems) {
        if (one != other) asked_[one].synonyms.push_back(other);
      }
    }
  }

  bool MayHave(std::string_view word) const { return stems_.MayHave(word); }
  std::size_t Find(std::string_view word) const { return stems_.Find(word, forms_); }
  std::size_t size() const { return stems_.size(); }
  /// The stem of each word has its own place in WantedStems.
  const std::vector<Asked>& asked() const { return asked_; }

 private:
  TermForms& forms_;
  WantedStems stems_;
  std::vector<Asked> asked_;
};

/// Which entries contain which wanted stems. Handles thousands of words per question.
class Uses {
 public:
  struct Use {
    std::uint32_t entry = 0;
    bool is_name = false;
  };

  explicit Uses(const Wanted& wanted) : wanted_(wanted), uses_(wanted.size()) {}

  void Read(std::string_view table) {
    const std::span<const std::uint32_t> edges = scanner_.Scan(table);
    std::size_t next = 0;
    for (std::size_t begin = 0; begin < table.size();) {
      const std::size_t end = std::min(table.find('\n', begin), table.size());
      const std::size_t first = next;
      while (next < edges.size() && edges[next] < end) next += 2;
      const std::string_view line = table.substr(begin, end - begin);
      if (!line.empty() && line[0] != '#') {
        AddEntry(line, table, edges.subspan(first, next - first));
      }
      begin = end + 1;
    }
  }

  std::size_t entry_count() const { return lines_.size(); }
  std::string_view line(std::size_t entry) const { return lines_[entry]; }
  std::span<const Use> of(std::size_t stem) const { return uses_[stem]; }

  float Rarity(std::size_t stem) const {
    if (uses_[stem].empty()) return 0;
    return std::log(1 + static_cast<float>(entry_count()) / static_cast<float>(uses_[stem].size()));
  }

  /// The length of an entry in words, relative to the average.
  float Length(std::size_t entry) const {
    return lengths_[entry] * static_cast<float>(entry_count()) / all_lengths_;
  }

 private:
  void AddEntry(std::string_view line, std::string_view table,
                std::span<const std::uint32_t> edges) {
    const char* const end = line.data() + std::min(line.find(" : "), line.size());
    const bool has_parts = line.find('_') != std::string_view::npos;
    for (std::size_t i = 0; i < edges.size(); i += 2) {
      const std::string_view word = table.substr(edges[i], edges[i + 1] - edges[i]);
      // Names count as words: a user who knows one of them may mean the others.
      const bool is_name = word.data() < end;
      Add(word, is_name);
      if (has_parts && is_name) AddParts(word);
    }
    lines_.push_back(line);
    const std::size_t words = edges.size() / 2;
    lengths_.push_back(static_cast<float>(words));
    all_lengths_ += lengths_.back();
  }

  void AddParts(std::string_view word) {
    for (std::size_t mark = word.find('_'); mark != std::string_view::npos; mark = word.find('_')) {
      if (mark > 0) Add(word.substr(0, mark), true);
      word.remove_prefix(mark + 1);
      if (word.find('_') == std::string_view::npos && !word.empty()) Add(word, true);
    }
  }

  void Add(std::string_view word, bool is_name) {
    if (!wanted_.MayHave(word)) return;
    // Caches stems: most words repeat, and stemming them is most of the work.
    Known& known = known_[HashBytes(word) % kKnownWords];
    if (known.word_view != word) known = {.word_view = word, .stem = wanted_.Find(word)};
    const std::size_t stem = known.stem;
    if (stem == WantedStems::kNone) return;
    const auto entry = static_cast<std::uint32_t>(lines_.size());
    std::vector<Use>& uses = uses_[stem];
    if (!uses.empty() && uses.back().entry == entry) return;
    uses.push_back({.entry = entry, .is_name = is_name});
  }

  static constexpr std::size_t kKnownWords = 4096;
  struct Known {
    std::string_view word_view;
    std::size_t stem = WantedStems::kNone;
  };

  const Wanted& wanted_;
  WordScanner scanner_;
  std::vector<Known> known_ = std::vector<Known>(kKnownWords);
  std::vector<std::vector<Use>> uses_;  // per stem
  std::vector<std::string_view> lines_;
  std::vector<float> lengths_;
  float all_lengths_ = 0;
};

/// How well the words of a question match the entries.
struct PhraseMatches {
  explicit PhraseMatches(std::size_t entries)
      : sums(entries), names(entries), counts(entries), gains(entries) {}

  std::vector<float> sums;
  std::vector<float> names;         // the share from names
  std::vector<std::size_t> counts;  // matches of words of the question itself
  float all = 0;                    // the score of an entry with all the words
  std::vector<float> gains;         // of the word being matched

  void Add(const Asked& word, const Uses& uses) {
    const float own = uses.Rarity(word.stem);
    float most = own;
    std::fill(gains.begin(), gains.end(), 0.0F);
    for (const Uses::Use& use : uses.of(word.stem)) {
      gains[use.entry] = own;
      if (use.is_name) names[use.entry] += word.share * own;
    }
    for (const std::size_t synonym : word.synonyms) {
      const float rarity = uses.Rarity(synonym);
      // A rare synonym of a common word counts no more than the word would.
      const float gain = kSynonymShare * (own > 0 ? std::min(own, rarity) : rarity);
      most = std::max(most, gain);
      for (const Uses::Use& use : uses.of(synonym)) {
        gains[use.entry] = std::max(gains[use.entry], gain);
      }
    }
    all += word.share * most;
    for (std::size_t entry = 0; entry < gains.size(); ++entry) {
      sums[entry] += word.share * gains[entry];
      if (word.share >= 1 && gains[entry] > 0) ++counts[entry];
    }
  }

  Meaning MeaningOf(std::size_t entry, const Uses& uses) const {
    if (counts[entry] < kFewestMatches) return {};
    const float held_back = 1 - kLengthShare + kLengthShare * uses.Length(entry);
    return {.share = std::min(1.0F, sums[entry] / all / held_back),
            .known = names[entry] / all,
            .names = {}};
  }
};

// Drops meanings much less likely than the likeliest.
void KeepLikeliest(std::vector<Meaning>& meanings) {
  std::stable_sort(meanings.begin(), meanings.end(),
                   [](const Meaning& a, const Meaning& b) { return a.share > b.share; });
  if (meanings.size() > kMostMeanings) meanings.resize(kMostMeanings);
  while (!meanings.empty() && meanings.back().share < kLeastOfBest * meanings[0].share) {
    meanings.pop_back();
  }
}

}  // namespace

Glossary Glossary::Ours() { return {GlossaryTables(), SynonymTable()}; }

std::vector<Meaning> Glossary::Explain(std::string_view question, std::string_view context,
                                       TermForms& forms) const {
  Wanted wanted(forms);
  wanted.Ask(question, 1);
  wanted.Ask(context, kContextShare);
  WordReader reader;
  ForEachLine(synonyms_view_,
              [&](std::string_view line) { wanted.AddSynonyms(reader.Words(line)); });
  Uses uses(wanted);
  for (const std::string_view table : tables_view_) uses.Read(table);
  PhraseMatches matches(uses.entry_count());
  for (const Asked& word : wanted.asked()) matches.Add(word, uses);
  std::vector<Meaning> meanings;
  for (std::size_t entry = 0; entry < uses.entry_count(); ++entry) {
    Meaning meaning = matches.MeaningOf(entry, uses);
    if (meaning.share < kLeastShare) continue;
    const std::string_view line = uses.line(entry);
    const std::span<const std::string_view> names = reader.Words(line.substr(0, line.find(" : ")));
    meaning.names.assign(names.begin(), names.end());
    meanings.push_back(std::move(meaning));
  }
  KeepLikeliest(meanings);
  return meanings;
}

float Glossary::KnownShare(const std::function<bool(std::string_view)>& has,
                           TermForms& forms) const {
  std::size_t entries = 0;
  std::size_t known = 0;
  for (const std::string_view table : tables_view_) {
    for (const std::string_view line : SplitLines(table)) {
      const std::size_t end = line.find(" : ");
      if (line.starts_with('#') || end == line.npos) continue;
      ++entries;
      bool knows_all = true;
      for (const std::string& name : LowerWords(line.substr(0, end))) {
        knows_all = knows_all && (has(name) || has(forms.Stem(name)));
      }
      if (knows_all) ++known;
    }
  }
  return entries == 0 ? 0 : static_cast<float>(known) / static_cast<float>(entries);
}

}  // namespace sibyl::index
