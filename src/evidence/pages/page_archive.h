// SPDX-License-Identifier: Apache-2.0
// Pages out of the store and into it again, as one WARC file: to keep them beside the
// oracle, to hand them on, to bring back what nobody serves any more.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "evidence/pages/pages.h"
#include "evidence/sync.h"

namespace sibyl::evidence {

/// All pages of a pin as they are pinned: a warcinfo record and the snapshots, each
/// record a gzip member. The same pin gives the same bytes. kNotFound names the first
/// page whose snapshot the store has not.
Result<std::string> ExportPages(const Pin& pin, const Surroundings& around);

struct ImportedPages {
  std::size_t stored = 0;             ///< Snapshots that are in the store now.
  std::vector<std::string> restored;  ///< Sources whose pages are all here again.
  std::vector<std::string> skipped;   ///< "https://…: why"
  std::vector<PageOutcome> pages;     ///< What was pinned anew, when that was asked for.
};

/// Reads a WARC file, ours or another's, and puts its pages into the store. Sources of
/// the lock that had lost theirs are whole again. With a `source`, pages that no source
/// has are pinned in it too. Pages that are no evidence are skipped with the reason.
Result<ImportedPages> ImportPages(std::string_view bytes, std::string_view source,
                                  const Surroundings& around);

}  // namespace sibyl::evidence
