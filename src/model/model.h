// SPDX-License-Identifier: Apache-2.0
// Start here: a language model on a server, used within limits on cost, tokens
// and time, with cached answers. This room does not depend on the content of
// requests; a model's answer is text, never an instruction and never trusted.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

#include "base/mutex.h"
#include "base/result.h"
#include "model/answer_cache.h"
#include "model/model_budget.h"
#include "model/protocol.h"
#include "model/question.h"
#include "net/client.h"

namespace sibyl::model {

struct Server {
  Protocol protocol = Protocol::kOpenAi;
  net::Url url;  ///< "http://127.0.0.1:8080/v1": what the paths of the protocol follow.
  std::string model;
  std::string key = {};  ///< Sent only to this server, never shown.
  /// Limit for one try; a stalled stream ends after `idle`.
  std::chrono::milliseconds time{300'000};
  std::chrono::milliseconds idle{60'000};
  int tries = 4;
  std::size_t at_once = 4;  ///< Questions at the same time.
};

enum class Asking : std::uint8_t {
  kServer,      ///< Requests without a cached answer are sent.
  kMemoryOnly,  ///< Nothing is sent: only cached answers.
};

struct ModelOptions {
  Server server;
  net::Client& client;  ///< May reach the server: a local one must be allowed by name.
  ModelBudget& budget;
  std::filesystem::path cache;  ///< The folder of remembered answers.
  /// When the run must have ended, by the client's stopwatch.
  std::optional<std::chrono::milliseconds> deadline = {};
  Asking asking = Asking::kServer;
};

/// Who asks: has answers beside the cache of this machine, by the same keys, and is told what
/// a request waits for. Thread-safe.
class Requester {
 public:
  virtual ~Requester() = default;
  virtual std::optional<Answer> FindAnswer(const std::string& key) = 0;
  virtual void TakeAnswer(const std::string& key, const Answer& answer) = 0;
  /// Empty when it goes on.
  virtual void WaitFor(const std::string& what) = 0;
};

/// Thread-safe.
class Model {
 public:
  explicit Model(ModelOptions options);
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  /// The cached answer, the requester's, or a new one: retried after 408, 409, 429, 5xx, a
  /// broken or a stalled stream. kUnavailable if the server does not answer or
  /// a limit is reached, kUsage if retrying is useless (a wrong key, an unknown
  /// model), kCancelled.
  /// Gives every answer to the requester; null: there is none.
  Result<Answer> Ask(const Question& question, const std::stop_token& stop,
                     Requester* requester = nullptr);

  const Server& server() const { return options_.server; }
  ModelBudget& budget() const { return options_.budget; }

 private:
  class RequestSlot;
  struct Try;
  Result<Answer> AskServer(const Question& question, const Waiting& waiting);
  Try AskOnce(const Question& question, const Waiting& waiting);
  Try Send(const Question& question, std::chrono::milliseconds time, const std::stop_token& stop);
  void Settle(const Usage& most, const Usage& usage);
  net::Request MakeRequest(const Question& question, OutputLimit limit) const;
  Result<std::chrono::milliseconds> TimeLeft() const;
  Status Pause(int attempt, const Try& last, const std::stop_token& stop);

  ModelOptions options_;
  AnswerCache cache_;
  Mutex mutex_;
  Condition freed_;
  std::size_t asking_ SIBYL_GUARDED_BY(mutex_) = 0;
  OutputLimit output_limit_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::model
