// SPDX-License-Identifier: Apache-2.0
// Web access of one operation: the [web] table of the oracle, one budget, one
// client, one visitor. Pages and search go through here; models
// (model_access.h) and git have their own connections.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "evidence/pages/page_fetcher.h"
#include "net/client.h"
#include "net/visitor.h"
#include "oracle/context.h"
#include "research/providers.h"
#include "research/web_config.h"

namespace sibyl::expansion {

/// Options of a call in addition to the [web] table.
struct WebOptions {
  /// Instead of those in sibyl.toml.
  std::optional<std::int64_t> max_requests = {};
  std::optional<std::int64_t> max_mb = {};
  std::optional<std::int64_t> max_minutes = {};
  /// Hosts that may be at private addresses because the user just named them.
  std::vector<std::string> allow = {};
};

struct WebSpent {
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
};

/// The [web] table of the oracle; the defaults without an oracle.
Result<research::WebConfig> ReadWebConfig(const oracle::Context& context);

/// Thread-safe.
class Web {
 public:
  static Result<std::unique_ptr<Web>> Open(const oracle::Context& context,
                                           const WebOptions& options);
  Web(const Web&) = delete;
  Web& operator=(const Web&) = delete;

  const research::WebConfig& config() const { return config_; }
  net::Client& client() { return client_; }
  net::Visitor& visitor() { return visitor_; }

  /// The providers in sibyl.toml, otherwise the first with a key in the environment. kUsage
  /// with a hint if there is none; kUnavailable if the user has not agreed to one that is named
  /// only in sibyl.toml.
  Result<std::vector<std::unique_ptr<research::Provider>>> Providers();

  /// How pages are had: politely, within the budget, of the hosts that sibyl.toml
  /// allows. Borrows this object.
  evidence::PageFetcher PageFetcher(std::stop_token stop = {});

  WebSpent spent() const { return {.requests = budget_.requests(), .bytes = budget_.bytes()}; }

 private:
  /// The settings of the oracle that the user agreed to.
  struct Agreed {
    std::vector<std::string> allow;  ///< Hosts at private addresses.
    Status web;                      ///< The error when proxy or ca_file are not agreed to.
    Status searxng;                  ///< The error when `url` is not.
    bool command = false;
  };

  Web(const oracle::Context& context, research::WebConfig config, const WebOptions& options,
      Agreed agreed);
  static Result<Agreed> FindAgreed(const oracle::Context& context,
                                   const research::WebConfig& config);
  Status CheckHost(const net::Url& url) const;
  Result<evidence::PageResponse> Fetch(const evidence::PageRequest& asked,
                                       const std::stop_token& stop);

  research::WebConfig config_;
  Agreed agreed_;
  net::Budget budget_;
  net::Client client_;
  net::Visitor visitor_;
};

}  // namespace sibyl::expansion
