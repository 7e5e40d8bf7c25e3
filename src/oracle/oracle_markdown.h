// SPDX-License-Identifier: Apache-2.0
// The Markdown of an oracle that the gate checks.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "gate/knowledge.h"
#include "oracle/context.h"

namespace sibyl::oracle {

struct OracleMarkdown {
  std::vector<gate::PageText> pages;  ///< Sorted by path.
  /// Files that were not read, with the reason; only errors mean that a page is missing.
  std::vector<Finding> findings;
};

/// All pages of the oracle, but for plans (`_ingest-auto`) and hidden folders.
/// Links to pages inside the oracle are read; no link is entered.
Result<OracleMarkdown> ReadOracleMarkdown(const Context& context);

/// The named files, and the pages in named folders. They need not be in the
/// oracle. kNotFound names what does not exist.
Result<OracleMarkdown> ReadNamedMarkdown(const Context& context,
                                         const std::vector<std::string>& arguments);

}  // namespace sibyl::oracle
