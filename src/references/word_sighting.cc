// SPDX-License-Identifier: Apache-2.0
#include "references/word_sighting.h"

#include <algorithm>

#include "references/sighting.h"

namespace sibyl::references {
namespace {

// A word that more places have says nothing about one of them.
constexpr double kRareWord = 0.25;
// A single line is compared with places of this size.
constexpr std::size_t kSmallestPlace = 8;

struct Occurrence {
  std::size_t line = 0;
  std::size_t word = 0;
};

// The most different words in `size` lines that follow each other.
std::size_t MostTogether(std::vector<Occurrence> all, std::size_t words, std::size_t size) {
  std::sort(all.begin(), all.end(),
            [](const Occurrence& a, const Occurrence& b) { return a.line < b.line; });
  std::vector<std::size_t> counts(words, 0);
  std::size_t different = 0;
  std::size_t best = 0;
  std::size_t first = 0;
  for (const Occurrence& one : all) {
    if (counts[one.word]++ == 0) ++different;
    while (all[first].line + size <= one.line) {
      if (--counts[all[first].word] == 0) --different;
      ++first;
    }
    best = std::max(best, different);
  }
  return best;
}

}  // namespace

WordSighting LookForWords(const std::vector<std::string>& stems, const WordIndex& index,
                          const LineRange& lines) {
  const LineRange wide = Widened(lines);
  const std::size_t size = wide.last - wide.first + 1;
  WordSighting sighting;
  std::vector<Occurrence> all;
  for (const std::string& stem : stems) {
    const std::vector<std::size_t>& places = index.LinesOf(stem);
    if (places.empty()) continue;
    std::vector<LineRange> ranges;
    ranges.reserve(places.size());
    for (const std::size_t line : places) ranges.push_back({line, line});
    if (ShareOfPlaces(std::move(ranges), size, index.line_count()) > kRareWord) continue;
    const auto at = std::lower_bound(places.begin(), places.end(), wide.first);
    if (at != places.end() && *at <= wide.last) ++sighting.there;
    for (const std::size_t line : places) all.push_back({line, sighting.rare});
    ++sighting.rare;
  }
  sighting.best = MostTogether(std::move(all), sighting.rare, std::max(size, kSmallestPlace));
  return sighting;
}

}  // namespace sibyl::references
