// SPDX-License-Identifier: Apache-2.0
#include "index/grep/match_order.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "index/document_traits.h"

namespace sibyl::index {
namespace {

enum class MatchRank : std::uint8_t {
  kDefinition,
  kDocumentation,
  kOther,
  kSecondary,  // examples, vendored code, changelogs
  kTest,       // and generated files
};

// Whether one of the lines has the name of something that is defined there. Of a long
// definition only the first matching lines are compared.
bool DefinesMatch(const Segment& segment, const MatchedDocument& matched) {
  constexpr std::size_t kMostCompared = 4;
  const Segment::CardRange cards = segment.cards_of(matched.document);
  for (std::uint32_t number = cards.first; number < cards.end; ++number) {
    const CardRecord& card = segment.card(number);
    const std::string_view name = segment.card_name(card);
    if (name.empty()) continue;
    const std::uint64_t last = std::uint64_t{card.first_line} + card.more_lines;
    auto line = std::lower_bound(
        matched.lines.begin(), matched.lines.end(), card.first_line,
        [](const MatchedLine& each, std::uint32_t wanted) { return each.line < wanted; });
    for (std::size_t i = 0; i < kMostCompared && line != matched.lines.end(); ++i, ++line) {
      if (line->line > last) break;
      // The match itself is part of the name, or contains it.
      const std::size_t at = line->text.find(name);
      if (at == std::string::npos) continue;
      if (line->match < at + name.size() && at < line->match + line->match_bytes) return true;
    }
  }
  return false;
}

MatchRank RankOf(const Searcher& searcher, const MatchedDocument& matched) {
  const Segment& segment = searcher.parts()[matched.part].part->segment;
  const DocumentTraits traits = DocumentTraits::FromBits(segment.document(matched.document).traits);
  if (traits.is_test || traits.is_generated) return MatchRank::kTest;
  if (traits.is_example || traits.is_vendored || traits.is_changelog) return MatchRank::kSecondary;
  if (DefinesMatch(segment, matched)) return MatchRank::kDefinition;
  return traits.is_prose ? MatchRank::kDocumentation : MatchRank::kOther;
}

}  // namespace

void OrderByRelevance(const Searcher& searcher, Matches& matches) {
  std::vector<std::pair<MatchRank, std::size_t>> order;
  order.reserve(matches.documents.size());
  for (std::size_t i = 0; i < matches.documents.size(); ++i) {
    order.emplace_back(RankOf(searcher, matches.documents[i]), i);
  }
  std::sort(order.begin(), order.end());
  std::vector<MatchedDocument> ordered;
  ordered.reserve(order.size());
  for (const auto& [rank, place] : order) ordered.push_back(std::move(matches.documents[place]));
  matches.documents = std::move(ordered);
}

}  // namespace sibyl::index
