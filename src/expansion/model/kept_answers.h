// SPDX-License-Identifier: Apache-2.0
// The answers of models for one part, kept with it in the ledger, so that the next
// holder of a part that was released or lost does not ask again.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "model/question.h"
#include "runner/runner.h"

namespace sibyl::expansion {

/// Thread-safe.
class KeptAnswers {
 public:
  /// With what an earlier holder has kept. An agent's drafts are not replaced. Borrows the job.
  explicit KeptAnswers(runner::JobContext& job);

  std::optional<model::Answer> Find(const std::string& key) SIBYL_EXCLUDES(mutex_);
  void Add(const std::string& key, const model::Answer& answer) SIBYL_EXCLUDES(mutex_);

  /// Stores the answers with the job if there are new ones, once in a second: a model that
  /// answers faster is not worth a write of the ledger each time.
  void Save() SIBYL_EXCLUDES(mutex_);
  /// At once: the part may be about to be put back.
  void SaveNow() SIBYL_EXCLUDES(mutex_);

 private:
  void Write() SIBYL_REQUIRES(mutex_);

  runner::JobContext& job_;
  bool is_used_ = true;
  Mutex mutex_;
  std::map<std::string, model::Answer> answers_ SIBYL_GUARDED_BY(mutex_);
  std::size_t bytes_ SIBYL_GUARDED_BY(mutex_) = 0;
  bool has_news_ SIBYL_GUARDED_BY(mutex_) = false;
  std::chrono::steady_clock::time_point saved_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::expansion
