// SPDX-License-Identifier: Apache-2.0
#include "research/survey.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

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
         error.message.find("budget is spent") != std::string::npos ||
         error.message.find("is forbidden") != std::string::npos;
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
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size(); i = next++) {
      Task& task = tasks[i];
      if (given_up[task.provider] || options.stop.stop_requested()) continue;
      const Query& query = queries[task.query];
      if (options.progress) options.progress(query);
      task.result = providers[task.provider]->Search(query, options.stop);
      if (!task.result->ok() && IsFinal(task.result->error())) given_up[task.provider] = true;
    }
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t count = std::min(std::max<std::size_t>(options.threads, 1), tasks.size());
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back(work);
    work();
  }
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
