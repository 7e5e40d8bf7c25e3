// SPDX-License-Identifier: Apache-2.0
// Start here: an oracle as a static site, in memory. The pages are those of the
// server (interface/room), made into files by site_html.h, with a search index;
// site_folder.h writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "interface/site/site_folder.h"
#include "oracle/context.h"

namespace sibyl::interface {

enum class SiteReceipts : std::uint8_t {
  kExcerpts,  ///< The cited lines.
  kLinks,     ///< Only where they are.
};

struct SiteOptions {
  SiteReceipts receipts = SiteReceipts::kExcerpts;
};

struct Site {
  std::vector<SiteFile> files;  ///< Sorted by path.
  std::size_t pages = 0;        ///< Of the oracle.
  std::size_t receipts = 0;
  std::vector<Finding> findings = {};  ///< Pages that could not be read.
};

/// The same oracle gives the same bytes.
Result<Site> MakeSite(const oracle::Context& context, const SiteOptions& options);

}  // namespace sibyl::interface
