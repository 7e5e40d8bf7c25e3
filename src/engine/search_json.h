// SPDX-License-Identifier: Apache-2.0
// Search results as JSON, each with its citation.
#pragma once

#include "base/json.h"
#include "evidence/source.h"
#include "index/rank/searcher.h"

namespace sibyl::engine {

/// `pin` is that of the source the hit was found in.
Json HitAsJson(const index::Searcher& searcher, const index::Hit& hit,
               const index::Searcher::Snippet& snippet, const evidence::Pin& pin);

/// One matched line at one path.
struct LineMatch {
  const index::Searcher& searcher;
  const evidence::Pin& pin;
  index::PassageRef passage;
  std::string_view path;
  std::uint32_t line = 0;
  std::string_view text;
};
Json MatchAsJson(const LineMatch& match);

}  // namespace sibyl::engine
