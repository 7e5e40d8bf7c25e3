// SPDX-License-Identifier: Apache-2.0
// Finds cards by name, by value and by words: what the sources define or document.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cards/card.h"
#include "git/object_id.h"
#include "index/rank/searcher.h"

namespace sibyl::index {

struct CardQuery {
  std::string text;  ///< A name, a value with what it is ("error 719"), or words.
  std::size_t limit = 10;
  std::vector<std::string> sources = {};    ///< All if empty.
  std::vector<cards::CardKind> kinds = {};  ///< All if empty.
  /// Names that a segment defines more often are passed over: they have no one home.
  std::size_t most_of_name = 4000;
  bool finds_by_words = true;  ///< Also cards that share only words with the query.
};

enum class CardMatch : std::uint8_t {
  kName,    ///< The name as it is written, qualifiers apart.
  kFolded,  ///< The name but for case, "_" and "-".
  kValue,   ///< Of an error code.
  kWords,   ///< Words of the query are in the name or beside it.
};

struct CardHit {
  std::uint32_t part = 0;  ///< Of the Searcher.
  std::uint32_t card = 0;
  CardMatch match = CardMatch::kName;
  cards::CardKind kind = cards::CardKind::kFunction;
  std::string_view name_view;  ///< All views are valid as long as the index.
  std::string_view value_view;
  std::string_view source_view;
  std::string_view path_view;
  std::string_view language_view;
  git::ObjectId blob;
  std::uint32_t first_line = 0;  ///< The lines that an answer quotes.
  std::uint32_t last_line = 0;
  float rank = 0;  ///< Higher is better; above 0.
};

/// Best first: names before values before words; definitions in headers, modules and
/// documentation before those in tests, examples and generated files; documented ones before
/// bare ones. Never more than a few of one name in one file.
std::vector<CardHit> FindCards(const Searcher& searcher, const CardQuery& query);

/// The whole card, read again from the document's text; it has only what the hit says if the
/// text is damaged.
cards::Card ReadCard(const Searcher& searcher, const CardHit& hit);

/// The passage that has the card's name or its first line.
PassageRef PassageOf(const Searcher& searcher, const CardHit& hit);

}  // namespace sibyl::index
