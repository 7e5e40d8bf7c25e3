// SPDX-License-Identifier: Apache-2.0
// The passages that all engines of a comparison index.
#pragma once

#include <cstdlib>
#include <string_view>
#include <utility>

#include "index/builder/passage_cover.h"
#include "index/document.h"

namespace sibyl::bench {

/// Calls `visit(text)` for each passage of 40 lines, in the order in which the
/// index numbers them.
template <typename Visit>
void ForEachPassage(index::DocumentSource& source, const Visit& visit) {
  index::Document document;
  for (std::size_t item = 0; item < source.size(); ++item) {
    const Result<index::Loaded> loaded = source.Load(item, document);
    if (!loaded.ok()) std::abort();
    if (*loaded == index::Loaded::kSkipped) continue;
    for (const index::CoveredPassage& span :
         index::CoverText(document.text, std::move(document.passages))) {
      visit(std::string_view(document.text).substr(span.begin, span.end - span.begin));
    }
    document.passages.clear();
  }
}

}  // namespace sibyl::bench
