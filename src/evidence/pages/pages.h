// SPDX-License-Identifier: Apache-2.0
// Pages as a source: fetched once, checked, converted to text, pinned. One
// source can have many pages; their texts form a tree like that of a folder, so
// that passages, index, search and the gate need not distinguish them.
//
// This room opens no connection. The caller supplies a PageFetcher
// (net/visitor.h or, in tests, a map).
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
  Pin pin;                         ///< Without a tree if no page could be used.
  std::optional<Pin> before;       ///< Nothing when the source is new.
  std::vector<PageOutcome> pages;  ///< In the order of the request.

  bool Moved() const { return !before || before->tree != pin.tree; }
};

struct AddPagesOptions {
  std::string source = "web";  ///< Made with `page = []` when there is none of that name.
  std::size_t threads = 4;     ///< Pages that are fetched at a time.
};

/// Fetches these pages with `around.fetch_page`, and adds the usable ones to a
/// source that collects pages: texts to the store, one new pin to sibyl.lock.
/// Refused pages are in the result with their reason and are not errors; an
/// error means a source of another kind, an invalid lock, a full disk, or no
/// fetcher. A page that is already pinned is not fetched again, so that a run
/// can be repeated.
///
/// Safe for several threads and processes: fetching needs no lock, and updating
/// the lock file is one step under the oracle's lock. Nothing is pinned if it
/// fails or is cancelled; texts stored by then are harmless.
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

/// A warning for each page that no longer exists but is kept, an error for each
/// refused page; `file` is where a person would fix it.
std::vector<Finding> FindingsOfPages(const std::vector<PageOutcome>& pages, std::string_view file);

/// Brings back the texts of a pin after the store lost them: out of the snapshots,
/// or by fetching again, which counts only if the text is the same. kNotFound names
/// the pages that are lost.
Status RestorePages(const Pin& pin, const Surroundings& around);

}  // namespace sibyl::evidence
