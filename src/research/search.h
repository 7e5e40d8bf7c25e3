// SPDX-License-Identifier: Apache-2.0
// Start here. Looking for pages on the web: providers that answer a query with
// a list, the lists made into one, and the best of it chosen by who speaks.
//
//   search.h     what a provider is                providers.h  those we know
//   authority.h  who speaks: official or a blog    wish.h       what a plan wants
//   select.h     many lists into one choice
//
// A result is a suggestion where to look, never evidence: only a page that was
// fetched, judged and pinned can be cited.
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
  /// Only of these hosts, where the provider can be told; others filter later.
  std::vector<std::string> hosts = {};
};

struct Found {
  net::Url url;
  std::string title;
  std::string snippet;
  std::string published;  ///< As the provider says it; may be empty.
  std::string provider;
  std::size_t rank = 0;  ///< In the provider's list, from one.
};

/// Thread-safe.
class Provider {
 public:
  virtual ~Provider() = default;

  virtual std::string_view name() const = 0;

  /// In the provider's order; what is no http or https address is left out.
  /// kUsage for a key or setting that is wrong, kUnavailable for a server that
  /// says no, kCorrupt for an answer that is not what it should be.
  virtual Result<std::vector<Found>> Search(const Query& query, const std::stop_token& stop) = 0;
};

}  // namespace sibyl::research
