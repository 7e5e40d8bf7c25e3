// SPDX-License-Identifier: Apache-2.0
#include "index/words/wanted_stems.h"

#include <algorithm>

#include "index/words/words.h"

namespace sibyl::index {
namespace {

// Words with such a short stem are short too; many longer words merely begin with it.
constexpr std::size_t kShortBytes = 2;
constexpr std::size_t kLongestEnding = 4;

// How words with this stem begin: like the stem, except a last letter that was a y ("copies"),
// that stemming restored ("hiding") or that stemming changed ("visibility").
std::string_view BeginningOf(std::string_view stem) {
  constexpr std::string_view kMayDiffer = "iel";
  if (stem.size() <= kShortBytes || kMayDiffer.find(stem.back()) == std::string_view::npos) {
    return stem;
  }
  return stem.substr(0, stem.size() - 1);
}

}  // namespace

bool WantedStems::IsStemOf(std::string_view stem, std::string_view word, TermForms& forms) {
  if (word == stem) return forms.Stem(word) == stem;
  if (stem.size() <= kShortBytes && word.size() > stem.size() + kLongestEnding) return false;
  return word.starts_with(BeginningOf(stem)) && forms.Stem(word) == stem;
}

std::size_t WantedStems::Add(std::string_view stem) {
  std::vector<std::uint32_t>& bucket = by_beginning_[BucketOf(stem)];
  is_wanted_[BucketOf(stem)] = true;
  for (const std::uint32_t place : bucket) {
    if (stems_[place] == stem) return place;
  }
  bucket.push_back(static_cast<std::uint32_t>(stems_.size()));
  stems_.emplace_back(stem);
  return stems_.size() - 1;
}

std::vector<std::string> LowerWords(std::string_view text) {
  std::vector<std::string> words;
  const std::vector<std::uint32_t> edges = FindWordEdgesPortably(text);
  words.reserve(edges.size() / 2);
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    AppendLower(text.substr(edges[i], edges[i + 1] - edges[i]), words.emplace_back());
  }
  return words;
}

}  // namespace sibyl::index
