// SPDX-License-Identifier: Apache-2.0
// Fetches pages politely: honours robots.txt, also for redirect targets, and
// the rate limit per host.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "net/client.h"
#include "net/pace.h"
#include "net/robots.h"

namespace sibyl::net {

/// Thread-safe. One for a whole run, so that all threads share the rate limit.
class Visitor {
 public:
  /// `client` is borrowed and outlives the visitor.
  explicit Visitor(Client& client, const PaceOptions& pace = {})
      : client_(client), pace_(client.stopwatch(), pace) {}
  Visitor(const Visitor&) = delete;
  Visitor& operator=(const Visitor&) = delete;

  /// Like Client::Send, if robots.txt allows it (Request::admit is called before that). kUsage
  /// if it does not; kUnavailable if robots.txt could not be read (then nothing may be
  /// fetched).
  Result<Response> Visit(Request request);

 private:
  struct Site {
    Robots robots;
    std::string trouble;  ///< Why robots.txt could not be read; empty when it was.
    std::string hint;
    Time good_until{};
    bool is_asking = false;
  };

  Result<std::unique_ptr<Pass>> Admit(const Url& url, const std::stop_token& stop);
  Result<Site> SiteOf(const Url& url, const std::stop_token& stop) SIBYL_EXCLUDES(mutex_);
  Result<Site> AskRobots(const Url& url, const std::stop_token& stop);

  Client& client_;
  Pace pace_;
  Mutex mutex_;
  Condition answered_;
  std::map<std::string, Site> sites_ SIBYL_GUARDED_BY(mutex_);  ///< By origin.
};

}  // namespace sibyl::net
