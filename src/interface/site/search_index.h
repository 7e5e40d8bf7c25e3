// SPDX-License-Identifier: Apache-2.0
// The index with which the static site is searched in the browser. It is a
// script, not JSON, since a page that was opened from a folder (file:) may load
// scripts but not read files.
//
//   sibylIndex({"version": 2,
//     "pages":    [[HREF, TITLE, TOPIC], ...],  with a further 1 if it cites nothing
//     "sections": [[PAGE, ANCHOR, HEADING, SNIPPET], ...],
//     "terms":    "0cmake 5_flags ...",
//     "postings": "0:6,2;1,1:3;..."})
//
// The terms are sorted by their UTF-16 units, as JavaScript compares them. Each
// starts with the number of units (base 36, at most 35) that it shares with the
// one before. The postings of a term, in the same order, are separated by ';':
// numbers of sections in base 36, each as the difference to the one before, with
// ":WEIGHT" if the weight is not 1. search.js reads it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interface/site/page_sections.h"

namespace sibyl::interface {

struct IndexedPage {
  std::string href;  ///< From the root of the site.
  std::string title;
  std::string topic = {};  ///< The folder of the page; empty at the root.
  bool is_cited = true;    ///< Its statements have receipts; one without comes last.
  std::vector<PageSection> sections;
};

/// The terms of a text, each as often as it occurs: words in lower case, and the
/// parts of names ("cudaMemcpyAsync" is also "cuda", "memcpy" and "async").
std::vector<std::string> SearchTerms(std::string_view text);

/// The script. The same pages give the same bytes.
std::string SearchIndexScript(const std::vector<IndexedPage>& pages);

}  // namespace sibyl::interface
