// SPDX-License-Identifier: Apache-2.0
// The search providers we can ask. Each wants a key of its own from the
// environment, but for SearXNG, which wants an address, and the local command.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "net/client.h"
#include "research/search.h"

namespace sibyl::research {

struct ProviderOptions {
  net::Client& client;
  std::string url;                   ///< Of SearXNG; otherwise $SEARXNG_URL.
  std::string zone;                  ///< Of Bright Data; otherwise $BRIGHTDATA_ZONE.
  std::vector<std::string> command;  ///< The local program and its arguments.
  bool command_is_agreed = false;    ///< The person agreed to run it.
  /// The environment; tests have their own.
  std::function<std::optional<std::string>(const char*)> variable;
  std::string endpoint = {};  ///< Instead of the provider's own address; for tests.
};

/// kUsage with the variable to set or the key to write when it cannot be asked.
Result<std::unique_ptr<Provider>> MakeProvider(std::string_view name,
                                               const ProviderOptions& options);

/// Those that the environment has a key or an address for, in the order in which
/// they are preferred when sibyl.toml names none.
std::vector<std::string> UsableProviders(const ProviderOptions& options);

/// A local program: the query is its last argument, its answer one JSON object a
/// line with "url" and, where it knows them, "title", "snippet", "published".
std::unique_ptr<Provider> MakeCommandProvider(std::vector<std::string> command);

}  // namespace sibyl::research
