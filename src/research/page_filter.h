// SPDX-License-Identifier: Apache-2.0
// Which pages a plan allows: "official NVIDIA repositories only",
// "site:docs.nvidia.com". This is a filter, not a preference: other pages are
// not fetched.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "net/url.h"
#include "plan/plan.h"

namespace sibyl::research {

struct PageFilter {
  std::vector<std::string> hosts;   ///< "docs.nvidia.com", "*.nvidia.com", "github.com/NVIDIA".
  bool is_official = false;         ///< Only official ones.
  std::vector<std::string> makers;  ///< Only these of them; empty: all.
  bool is_repository = false;       ///< Only repositories.
  bool is_documentation = false;    ///< Only pages that are not repositories.
  std::vector<std::string> words;   ///< The lines of the plan, for the report.

  bool IsEmpty() const { return hosts.empty() && !is_official; }
  /// Empty when the page fits, or else why not.
  std::string WhyNot(const net::Url& url) const;
};

/// Adds the restrictions in a line of a plan or a query.
void AddRestriction(std::string_view line, PageFilter& filter);

/// The restrictions of a part and its plan, in notes, goals and research steps.
PageFilter PageFilterOf(const plan::Plan& plan, const plan::Part& part);

/// The query without its "site:" words.
std::string WithoutSites(std::string_view query);

/// "docs.nvidia.com", "*.nvidia.com" or "github.com/NVIDIA" fits the page.
bool FitsHost(const net::Url& url, std::string_view pattern);

}  // namespace sibyl::research
