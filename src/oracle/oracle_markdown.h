// SPDX-License-Identifier: Apache-2.0
// The Markdown of an oracle that the gate looks at.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "gate/knowledge.h"
#include "oracle/context.h"

namespace sibyl::oracle {

struct OracleMarkdown {
  std::vector<gate::PageText> pages;  ///< Sorted by path.
  /// What was not read and why; only errors mean that a page is missing.
  std::vector<Finding> findings;
};

/// All pages of the oracle, but for plans (`_ingest-auto`) and hidden folders.
/// Links to pages inside the oracle are read; no link is entered.
Result<OracleMarkdown> ReadOracleMarkdown(const Context& context);

/// The files, and the pages below the folders, that somebody named. They need
/// not be in the oracle. kNotFound names what does not exist.
Result<OracleMarkdown> ReadNamedMarkdown(const Context& context,
                                         const std::vector<std::string>& arguments);

}  // namespace sibyl::oracle
