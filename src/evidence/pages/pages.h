// SPDX-License-Identifier: Apache-2.0
// Pages as a source: fetched once, judged, made into text, pinned. One source can
// hold many pages; their texts are a tree like that of a folder, so that passages,
// index, search and the gate need not know where they came from.
//
// This room opens no connection. Whoever calls brings a PageFetcher, which asks
// politely (net/visitor.h) or, in tests, out of a map.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "evidence/lock.h"
#include "evidence/pages/page_address.h"
#include "evidence/pages/page_outcome.h"
#include "evidence/source.h"
#include "evidence/sync.h"

namespace sibyl::evidence {

struct PagesChange {
  Pin pin;                         ///< Without a tree when no page could be taken.
  std::optional<Pin> before;       ///< Nothing when the source is new.
  std::vector<PageOutcome> pages;  ///< In the order they were asked for.

  bool Moved() const { return !before || before->tree != pin.tree; }
};

struct AddPagesOptions {
  std::string source = "web";  ///< Made with `page = []` when there is none of that name.
  std::size_t threads = 4;     ///< Pages that are fetched at a time.
};

/// Fetches these pages through `around.fetch_page`, and adds those that are evidence
/// to a source that collects pages: texts into the store, one new pin into sibyl.lock.
/// What was refused is in the answer with its reason and is no error; an error is a
/// source of another kind, a broken lock, a full disk, or no fetcher. A page that is
/// pinned already is not fetched again: its snapshot is what a run repeats.
///
/// Safe to be called by several threads and processes: fetching is done without a
/// lock, and adding to the lock file is one step behind the oracle's lock. Nothing is
/// pinned when it fails or is cancelled; what was stored by then does no harm.
Result<PagesChange> AddPages(const std::vector<std::string>& urls, const AddPagesOptions& options,
                             const Surroundings& around);

/// The record of a URL in any source of the lock, by its own or its final address
/// (fragment, and a slash at the end, aside); null when there is none.
const PageRecord* FindPage(const Lock& lock, std::string_view url);

/// The filter of a source's pin: pages may have longer texts than files.
SourceFilter FilterOf(const SourceSpec& spec);

/// Fetches the pages of a source: those it names, or, when it collects them, those of
/// `before`. With `before`, conditionally. What FetchSource does for pages.
struct FetchedPages {
  Pin pin;
  std::vector<PageOutcome> pages;
};
Result<FetchedPages> FetchPages(const SourceSpec& spec, const Pin* before,
                                const Surroundings& around);

/// A warning for each page that is kept though it is gone, an error for each that
/// was refused; `file` is where a person would mend it.
std::vector<Finding> FindingsOfPages(const std::vector<PageOutcome>& pages, std::string_view file);

/// Brings back the texts of a pin after the store lost them: out of the snapshots,
/// or by fetching again, which counts only if the text is the same. kNotFound names
/// the pages that are lost.
Status RestorePages(const Pin& pin, const Surroundings& around);

}  // namespace sibyl::evidence
