// SPDX-License-Identifier: Apache-2.0
// What a plan says about where to look: "official NVIDIA repositories only",
// "site:docs.nvidia.com". Such words are a filter, not a preference: a page
// that does not fit is not fetched.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "net/url.h"
#include "plan/plan.h"

namespace sibyl::research {

struct Wish {
  std::vector<std::string> hosts;   ///< "docs.nvidia.com", "*.nvidia.com", "github.com/NVIDIA".
  bool is_official = false;         ///< Only those who make it.
  std::vector<std::string> makers;  ///< Only these of them; empty: all.
  bool is_repository = false;       ///< Only repositories.
  bool is_documentation = false;    ///< Only what is no repository.
  std::vector<std::string> words;   ///< The lines that said so, for the report.

  bool IsEmpty() const { return hosts.empty() && !is_official; }
  /// Empty when the page fits, or else why not.
  std::string WhyNot(const net::Url& url) const;
};

/// Adds what one line of a plan, or a query, says.
void AddWish(std::string_view line, Wish& wish);

/// What a part and its plan say, in notes, goals and the steps of research.
Wish WishOf(const plan::Plan& plan, const plan::Part& part);

/// The query without its "site:" words.
std::string WithoutSites(std::string_view query);

/// "docs.nvidia.com", "*.nvidia.com" or "github.com/NVIDIA" fits the page.
bool FitsHost(const net::Url& url, std::string_view pattern);

}  // namespace sibyl::research
