// SPDX-License-Identifier: Apache-2.0
// The supported search providers. Each needs its key from the environment,
// except SearXNG, which needs an address, and the local command.
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
  bool command_is_agreed = false;    ///< The user agreed to run it.
  /// The environment; tests have their own.
  std::function<std::optional<std::string>(const char*)> variable;
  std::string endpoint = {};  ///< Instead of the provider's own address; for tests.
};

/// kUsage, with the variable or setting to add, if it cannot be used.
Result<std::unique_ptr<Provider>> MakeProvider(std::string_view name,
                                               const ProviderOptions& options);

/// The providers for which the environment has a key or an address, in order of preference if
/// sibyl.toml names none.
std::vector<std::string> UsableProviders(const ProviderOptions& options);

/// A local program: the query is its last argument, its output one JSON object
/// per line with "url" and, optionally, "title", "snippet", "published".
std::unique_ptr<Provider> MakeCommandProvider(std::vector<std::string> command);

}  // namespace sibyl::research
