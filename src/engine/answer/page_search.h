// SPDX-License-Identifier: Apache-2.0
// Search in the oracle's own pages: what its readers look for first, and all that a clone
// without its sources can be searched for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "draft/extract/known.h"
#include "evidence/sync.h"
#include "index/grep/grep.h"
#include "index/manifest.h"
#include "index/rank/searcher.h"
#include "oracle/context.h"

namespace sibyl::engine {

struct PlaceOnPage {
  std::string title;    ///< Of the page: its first heading.
  std::string heading;  ///< The one that the line is below; empty before the second.
  std::string anchor;   ///< Of that heading.
};
PlaceOnPage FindPlaceOnPage(std::string_view page, std::uint32_t line);

/// The pages with their index. Not moved: the searcher borrows the index.
class PageSearch {
 public:
  /// Without pages, or if nothing can be written to the cache, it finds nothing.
  PageSearch(const oracle::Context& context, const evidence::Surroundings& around);
  PageSearch(const PageSearch&) = delete;
  PageSearch& operator=(const PageSearch&) = delete;

  struct Limits {
    std::size_t most = 5;
    std::size_t snippet_lines = 6;
  };
  /// Sections that have nearly all words of the query, best first, those of pages without
  /// footnotes last; each with its page, topic, heading and anchor.
  Json Find(const std::string& query, const Limits& limits) const;
  /// Lines of the pages that match, without footnotes and sources, those of pages without
  /// footnotes last; each
  /// with its page, topic, heading and anchor. At most `pattern.max_lines`. Fails if RE2 rejects
  /// the pattern.
  Result<Json> Grep(const index::Pattern& pattern) const;

 private:
  const draft::KnowledgeFile* PageAt(std::string_view path) const;
  Json PlaceAsJson(const draft::KnowledgeFile& page, std::uint32_t line) const;
  Json SectionAsJson(const draft::KnowledgeFile& page, const index::Hit& hit,
                     const index::Query& wanted, const Limits& limits) const;

  std::vector<draft::KnowledgeFile> pages_;
  std::optional<index::Index> index_;
  std::optional<index::Searcher> searcher_;
};

}  // namespace sibyl::engine
