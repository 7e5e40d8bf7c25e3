// SPDX-License-Identifier: Apache-2.0
// Pages of the oracle with their receipts resolved and every check of the gate
// made: what `page list` counts and `page show` shows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "gate/knowledge.h"
#include "oracle/citation_sources.h"
#include "oracle/context.h"
#include "statement/verdict.h"

namespace sibyl::engine {

struct CheckedPages {
  std::unique_ptr<oracle::CitationSources> sources;  ///< Receipts point into it.
  gate::Pages pages;
  std::vector<std::vector<statement::Judgement>> judgements;  ///< As the pages.
  std::vector<Finding> findings;                              ///< Files that were not read.
};

/// The named page, or all if `page` is empty. Nothing is fetched.
Result<CheckedPages> CheckPages(const oracle::Context& context, const std::string& page);

/// The first heading, without its number; the file's name if there is none.
std::string TitleOf(const gate::Page& page);

}  // namespace sibyl::engine
