// SPDX-License-Identifier: Apache-2.0
// Sends many queries to all providers, a few at a time. A failing provider does
// not affect the results of the others.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "research/search.h"

namespace sibyl::research {

struct Trouble {
  std::string provider;
  std::string query;
  Error error;
};

struct Answered {
  std::vector<std::vector<Found>> lists;  ///< One of each provider that answered.
};

struct Survey {
  std::vector<Answered> answers;  ///< In the order of the queries.
  std::vector<Trouble> troubles;  ///< In the order of queries and providers.
};

struct SurveyOptions {
  std::size_t threads = 4;
  std::stop_token stop = {};
  /// Before each question; from any thread.
  std::function<void(const Query&)> progress = {};
};

/// After an error that would recur (a wrong key, a spent budget) a provider is
/// not used again, and that is reported once.
Survey AskAll(const std::vector<Query>& queries,
              const std::vector<std::unique_ptr<Provider>>& providers,
              const SurveyOptions& options);

}  // namespace sibyl::research
