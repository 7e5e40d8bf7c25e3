// SPDX-License-Identifier: Apache-2.0
// Exports pages from the store and imports them, as one WARC file: for backup,
// sharing, and restoring pages that are no longer online.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "evidence/pages/pages.h"
#include "evidence/sync.h"

namespace sibyl::evidence {

/// All pages of a pin as they are pinned: a warcinfo record and the snapshots,
/// each record a gzip member. The same pin gives the same bytes. kNotFound
/// names the first page without a snapshot in the store.
Result<std::string> ExportPages(const Pin& pin, const Surroundings& around);

struct ImportedPages {
  std::size_t stored = 0;             ///< Snapshots that are in the store now.
  std::vector<std::string> restored;  ///< Sources whose pages are all here again.
  std::vector<std::string> skipped;   ///< "https://…: why"
  std::vector<PageOutcome> pages;     ///< Newly pinned pages, if requested.
};

/// Imports the pages of a WARC file, by sibyl or another tool, into the store.
/// Sources with missing pages are complete again. With a `source`, pages that
/// no source has are pinned in it too. Pages that cannot be used as evidence
/// are skipped with the reason.
Result<ImportedPages> ImportPages(std::string_view bytes, std::string_view source,
                                  const Surroundings& around);

}  // namespace sibyl::evidence
