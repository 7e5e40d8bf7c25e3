// SPDX-License-Identifier: Apache-2.0
#include "research/survey.h"

#include <algorithm>
#include <atomic>
#include <optional>

#include "base/parallel.h"

namespace sibyl::research {
namespace {

// One question to one provider.
struct Task {
  std::size_t query;
  std::size_t provider;
  std::optional<Result<std::vector<Found>>> result;
};

// Asking otherwise will not help: the key, the address, the budget.
bool IsFinal(const Error& error) {
  return error.kind == ErrorKind::kUsage || error.kind == ErrorKind::kCancelled ||
         error.cause == ErrorCause::kBudgetSpent || error.cause == ErrorCause::kOffline;
}

}  // namespace

Survey AskAll(const std::vector<Query>& queries,
              const std::vector<std::unique_ptr<Provider>>& providers,
              const SurveyOptions& options) {
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    for (std::size_t j = 0; j < providers.size(); ++j) tasks.push_back({i, j, std::nullopt});
  }
  std::vector<std::atomic<bool>> given_up(providers.size());
  const auto ask = [&](std::size_t i) {
    Task& task = tasks[i];
    if (given_up[task.provider]) return;
    const Query& query = queries[task.query];
    if (options.progress) options.progress(query);
    task.result = providers[task.provider]->Search(query, options.stop);
    if (!task.result->ok() && IsFinal(task.result->error())) given_up[task.provider] = true;
  };
  ForEachInParallel(tasks.size(),
                    {.threads = std::max<std::size_t>(options.threads, 1), .stop = options.stop},
                    ask);
  Survey survey;
  survey.answers.resize(queries.size());
  for (Task& task : tasks) {
    if (!task.result) continue;
    if (task.result->ok()) {
      survey.answers[task.query].lists.push_back(std::move(task.result)->value());
    } else {
      survey.troubles.push_back({.provider = std::string(providers[task.provider]->name()),
                                 .query = queries[task.query].text,
                                 .error = std::move(*task.result).error()});
    }
  }
  return survey;
}

}  // namespace sibyl::research
