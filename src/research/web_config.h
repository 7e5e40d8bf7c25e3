// SPDX-License-Identifier: Apache-2.0
// Settings for web access: the [web] table of sibyl.toml. docs/formats/web.md
// describes it. Provider keys are not here: they come from the environment,
// since this file is committed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.h"
#include "base/result.h"

namespace sibyl::research {

struct WebConfig {
  bool expand = false;                 ///< `expand` may search and fetch without --web.
  std::vector<std::string> providers;  ///< "searxng", "brave", ...; asked all, merged.
  std::string url;                     ///< Of the SearXNG instance.
  std::string zone;                    ///< Of Bright Data.
  std::vector<std::string> command;    ///< The local search program and its arguments.
  /// Hosts that may be at private addresses, if PermittedHosts allows them.
  std::vector<std::string> allow;
  std::vector<std::string> hosts;  ///< Only from these pages are taken; "*.nvidia.com".
  std::string proxy;
  std::string ca_file;  ///< Certificates to trust; a relative path starts at the oracle.

  std::int64_t interval_ms = 1000;  ///< Between two requests to one host.
  std::int64_t at_once = 2;         ///< Requests to one host at a time.
  std::int64_t results = 8;         ///< Of a query, that are fetched.

  // The budget of one run.
  std::int64_t max_requests = 500;
  std::int64_t max_mb = 200;
  std::int64_t max_minutes = 30;

  std::map<std::string, std::size_t, std::less<>> lines;  ///< Of the keys that are there.
  std::vector<Finding> findings;                          ///< Unknown keys; nothing that stops us.
};

/// The names a provider may have.
std::vector<std::string> WebProviderNames();

/// The hosts in `named`, with or without a port, that are also in `permitted`:
/// a list separated by commas or spaces, from the user's environment. A host
/// without a port means all its ports, and the narrower of the two counts. The
/// file may come from someone else's oracle, which must not open access behind
/// the user's firewall.
std::vector<std::string> PermittedHosts(const std::vector<std::string>& named,
                                        std::string_view permitted);

/// The [web] table of a sibyl.toml; the defaults when it has none. `file` is the
/// name in complaints.
Result<WebConfig> ParseWebConfig(std::string_view text, const std::string& file);

}  // namespace sibyl::research
