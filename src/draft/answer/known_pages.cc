// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/known_pages.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"

namespace sibyl::draft {
namespace {

constexpr double kFileShare = 0.55;
constexpr std::size_t kMostFiles = 4;
constexpr std::size_t kMostPages = 3;

// Stemming all pages of a large oracle would take longer than the search of all
// its sources; unstemmed words select the few relevant pages.
std::vector<KnowledgeFile> LikelyFiles(const std::vector<KnowledgeFile>& files,
                                       const std::vector<WeightedTerm>& terms) {
  std::vector<std::pair<double, const KnowledgeFile*>> ranked;
  double all = 0;
  for (const WeightedTerm& term : terms) all += term.weight;
  for (const KnowledgeFile& file : files) {
    const std::string text = LowerCase(file.text);
    double found = 0;
    for (const WeightedTerm& term : terms) {
      const bool has = Contains(text, LowerCase(term.written)) || Contains(text, term.stem);
      if (has) found += term.weight;
    }
    if (found >= kFileShare * all) ranked.emplace_back(found, &file);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<KnowledgeFile> likely;
  for (const auto& [found, file] : ranked) {
    if (likely.size() == kMostFiles) break;
    likely.push_back(*file);
  }
  return likely;
}

}  // namespace

std::vector<KnownPlace> PagesAbout(const PointTerms& terms, const std::vector<KnowledgeFile>& files,
                                   TermReader& reader) {
  const KnownSections sections(LikelyFiles(files, terms.point), {}, reader);
  std::vector<KnownPlace> places;
  for (const KnownSection* section : sections.Near(terms, kMostPages)) {
    places.push_back({section->path, section->title, section->anchor});
  }
  return places;
}

}  // namespace sibyl::draft
