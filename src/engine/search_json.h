// SPDX-License-Identifier: Apache-2.0
// Search results as JSON, each with its citation.
#pragma once

#include "base/json.h"
#include "evidence/source.h"
#include "index/rank/find_cards.h"
#include "index/rank/searcher.h"

namespace sibyl::engine {

/// `pin` is that of the source the hit was found in.
Json HitAsJson(const index::Searcher& searcher, const index::Hit& hit,
               const index::Searcher::Snippet& snippet, const evidence::Pin& pin);

/// The whole card, read from its document, with how it was found.
Json CardAsJson(const index::Searcher& searcher, const index::CardHit& hit,
                const evidence::Pin& pin);

/// One matched line at one path.
struct LineMatch {
  const index::Searcher& searcher;
  const evidence::Pin& pin;
  index::PassageRef passage;
  std::string_view path;
  std::uint32_t line = 0;
  std::string_view text;
  std::size_t match = 0;  ///< Where in the text.
  std::size_t match_bytes = 0;
};
Json MatchAsJson(const LineMatch& match);

/// Hits or matched lines as files, in the order of the best of each, with what
/// differs between the hits of a file. `SOURCE:PATH:LINES` cites them.
Json GroupByFile(const Json& flat);

}  // namespace sibyl::engine
