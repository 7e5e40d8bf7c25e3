// SPDX-License-Identifier: Apache-2.0
// Start here. Searches the web: providers return lists of results, which are
// merged and ranked by authority.
//
//   search.h       what a provider is                providers.h  the supported ones
//   authority.h    official, documentation, blog …   select.h     merges the lists
//   page_filter.h  what a plan allows
//
// A result is a hint where to look, never evidence: only a page that was
// fetched, checked and pinned can be cited.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "net/url.h"

namespace sibyl::research {

struct Query {
  std::string text;
  std::size_t limit = 10;
  /// Only from these hosts, if the provider supports it; otherwise filtered
  /// later.
  std::vector<std::string> hosts = {};
};

struct Found {
  net::Url url;
  std::string title;
  std::string snippet;
  std::string published;  ///< As given by the provider; may be empty.
  std::string provider;
  std::size_t rank = 0;  ///< In the provider's list, from one.
};

/// Thread-safe.
class Provider {
 public:
  virtual ~Provider() = default;

  virtual std::string_view name() const = 0;

  /// In the provider's order; only http and https addresses. kUsage for a wrong
  /// key or setting, kUnavailable if the server refuses, kCorrupt for an
  /// invalid response.
  virtual Result<std::vector<Found>> Search(const Query& query, const std::stop_token& stop) = 0;
};

}  // namespace sibyl::research
