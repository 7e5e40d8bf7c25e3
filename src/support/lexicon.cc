// SPDX-License-Identifier: Apache-2.0
#include "support/lexicon.h"

#include <algorithm>

#include "base/strings.h"

namespace sibyl::support {
namespace {

constexpr std::string_view kWeights =
#include "support/words/weights.txt.inc"
    ;
constexpr std::string_view kSynonyms =
#include "support/words/synonyms.txt.inc"
    ;
constexpr std::string_view kOpposites =
#include "support/words/opposites.txt.inc"
    ;
constexpr std::string_view kStrengths =
#include "support/words/strong.txt.inc"
    ;

std::vector<std::string_view> WordsOf(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t begin = line.find_first_not_of(' ', at);
    if (begin == std::string_view::npos) break;
    at = std::min(line.find(' ', begin), line.size());
    words.push_back(line.substr(begin, at - begin));
  }
  return words;
}

template <typename Use>
void ForEachEntry(std::string_view table, Use use) {
  for (const std::string_view line : SplitLines(table)) {
    const std::string_view entry = Trim(line);
    if (!entry.empty() && !entry.starts_with('#')) use(entry);
  }
}

template <typename Entry>
void AddOnce(std::vector<Entry>& entries, const Entry& entry) {
  if (std::find(entries.begin(), entries.end(), entry) == entries.end()) entries.push_back(entry);
}

}  // namespace

const Lexicon& Lexicon::Ours() {
  static const Lexicon ours(kWeights, kSynonyms, kOpposites, kStrengths);
  return ours;
}

Lexicon::Lexicon(std::string_view weights, std::string_view synonyms, std::string_view opposites,
                 std::string_view strengths) {
  Stems stems;
  ForEachEntry(weights, [&](std::string_view line) {
    const std::vector<std::string_view> words = WordsOf(line);
    const WordWeight weight = words[0] == "none:" ? WordWeight::kNone : WordWeight::kLight;
    for (std::size_t i = 1; i < words.size(); ++i) {
      weights_.try_emplace(std::string(words[i]), weight);
      if (weight == WordWeight::kLight) weights_.try_emplace(stems.Of(words[i]), weight);
    }
  });
  ForEachEntry(strengths, [&](std::string_view line) {
    const std::vector<std::string_view> words = WordsOf(line);
    const Strength strength = words[0] == "universal:" ? Strength::kUniversal
                              : words[0] == "hedge:"   ? Strength::kHedge
                                                       : Strength::kCondition;
    for (std::size_t i = 1; i < words.size(); ++i) {
      strengths_.try_emplace(std::string(words[i]), strength);
    }
  });
  std::uint16_t group = 0;
  ForEachEntry(synonyms, [&](std::string_view line) {
    for (const std::string_view word : WordsOf(line)) AddOnce(groups_[stems.Of(word)], group);
    ++group;
  });
  std::uint16_t axis = 0;
  ForEachEntry(opposites, [&](std::string_view line) {
    sure_.push_back(line.starts_with("! "));
    if (sure_.back()) line.remove_prefix(2);
    const std::size_t bar = std::min(line.find('|'), line.size() - 1);
    for (const bool is_left : {true, false}) {
      const std::string_view side = is_left ? line.substr(0, bar) : line.substr(bar + 1);
      for (const std::string_view word : WordsOf(side)) {
        // "=word": only this form; "less" is not "lessen".
        const bool is_exact = word.starts_with('=');
        const Pole pole = {.axis = axis, .is_left = is_left};
        if (is_exact) {
          AddOnce(exact_poles_[std::string(word.substr(1))], pole);
        } else {
          AddOnce(poles_[stems.Of(word)], pole);
        }
      }
    }
    ++axis;
  });
}

WordWeight Lexicon::WeightOf(std::string_view lower, std::string_view stem) const {
  for (const std::string_view form : {lower, stem}) {
    const auto found = weights_.find(form);
    if (found != weights_.end()) return found->second;
  }
  return WordWeight::kFull;
}

Strength Lexicon::StrengthOf(std::string_view lower) const {
  const auto found = strengths_.find(lower);
  return found == strengths_.end() ? Strength::kPlain : found->second;
}

std::span<const std::uint16_t> Lexicon::GroupsOf(std::string_view stem) const {
  const auto found = groups_.find(stem);
  return found == groups_.end() ? std::span<const std::uint16_t>() : found->second;
}

std::span<const Pole> Lexicon::PolesOf(std::string_view lower, std::string_view stem) const {
  if (const auto exact = exact_poles_.find(lower); exact != exact_poles_.end()) {
    return exact->second;
  }
  const auto found = poles_.find(stem);
  return found == poles_.end() ? std::span<const Pole>() : found->second;
}

std::string Stems::Of(std::string_view lower) {
  std::string word(lower);
  // "gpus", "cpus": the stemmer takes them for Latin.
  if (word.size() == 4 && word.ends_with("pus")) word.pop_back();
  const auto respell = [&word](std::string_view british, std::string_view american) {
    const std::size_t at = word.rfind(british);
    if (at != std::string::npos && at >= 3 && at + british.size() + 4 >= word.size()) {
      word.replace(at, british.size(), american);
    }
  };
  if (word.size() > 5) {
    respell("isation", "ization");
    respell("ising", "izing");
    respell("ised", "ized");
    respell("ise", "ize");
    respell("yse", "yze");
    respell("our", "or");
    respell("lled", "led");
    respell("lling", "ling");
  }
  return std::string(forms_.Stem(word));
}

}  // namespace sibyl::support
