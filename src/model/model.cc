// SPDX-License-Identifier: Apache-2.0
#include "model/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/numbers.h"
#include "model/request_record.h"

namespace sibyl::model {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{500};
constexpr milliseconds kLongestPause{8'000};
constexpr milliseconds kLongestRetryAfter{60'000};

// Hosts whose models refuse the old name; of others it is found out by asking.
OutputLimit LimitOf(const Server& server) {
  return server.url.host == "api.openai.com" ? OutputLimit::kMaxCompletionTokens
                                             : OutputLimit::kMaxTokens;
}

bool IsWorthAnotherTry(const net::Response& response) {
  if (const auto said = response.headers.Find("x-should-retry")) return *said == "true";
  if (response.status == 429) return !IsOutOfQuota(response.body);
  return response.status == 408 || response.status == 409 || response.status >= 500;
}

std::optional<milliseconds> AskedPause(const net::Response& response, Time now) {
  if (const auto exact = response.headers.Find("retry-after-ms")) {
    const std::optional<std::int64_t> value = ParseNumber<std::int64_t>(*exact);
    if (value && *value >= 0) return milliseconds(*value);
  }
  if (const auto coarse = response.headers.Find("retry-after")) {
    if (const auto seconds = net::ParseRetryAfter(*coarse, now)) return *seconds;
  }
  return std::nullopt;
}

std::string_view HintFor(int status) {
  switch (status) {
    case 401:
    case 403:
      return "the server rejects the key; docs/formats/model.md lists the variables that may hold "
             "it";
    case 404:
      return "check `url` in [model], which includes /v1, and that the server has this model";
    case 402:
    case 429:
      return "the account's limit or the rate limit is reached";
    default:
      return "";
  }
}

}  // namespace

// The result of one attempt.
struct Model::Try {
  Result<Answer> answer;
  bool is_worth_another = false;
  bool refuses_limit_name = false;
  std::optional<milliseconds> asked_pause = {};
};

// Limits the number of concurrent requests.
class Model::RequestSlot {
 public:
  explicit RequestSlot(Model& model) : model_(model) {
    const MutexLock lock(model_.mutex_);
    while (model_.asking_ >= model_.options_.server.at_once) model_.freed_.Wait(model_.mutex_);
    ++model_.asking_;
  }
  ~RequestSlot() {
    const MutexLock lock(model_.mutex_);
    --model_.asking_;
    model_.freed_.NotifyOne();
  }
  RequestSlot(const RequestSlot&) = delete;
  RequestSlot& operator=(const RequestSlot&) = delete;

 private:
  Model& model_;
};

Model::Model(ModelOptions options)
    : options_(std::move(options)),
      cache_(options_.cache),
      output_limit_(LimitOf(options_.server)) {}

Result<Answer> Model::Ask(const Question& question, const std::stop_token& stop,
                          Requester* requester) {
  const Server& server = options_.server;
  const std::string key = AnswerCache::Key({.protocol = server.protocol, .model = server.model},
                                           server.url.Text(), question);
  std::optional<Answer> known = cache_.Find(key);
  if (known && requester != nullptr) requester->TakeAnswer(key, *known);
  if (!known && requester != nullptr) known = requester->FindAnswer(key);
  if (known) {
    options_.budget.CountRemembered();
    CountModelRequest(server.model, "cached");
    return *std::move(known);
  }
  if (options_.asking == Asking::kMemoryOnly) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = "this answer of the model is not cached, and the run is offline",
                 .hint = "run it without --offline"};
  }
  Waiting waiting{.stop = stop};
  if (requester != nullptr) {
    waiting.tell = [requester](const std::string& what) { requester->WaitFor(what); };
  }
  Answer answer = SIBYL_TRY(AskServer(question, waiting));
  if (requester != nullptr) requester->TakeAnswer(key, answer);
  SIBYL_TRY(cache_.Keep(key, answer));
  return answer;
}

Result<Answer> Model::AskServer(const Question& question, const Waiting& waiting) {
  const RequestSlot slot(*this);
  for (int attempt = 1;; ++attempt) {
    Try tried = AskOnce(question, waiting);
    if (tried.answer.ok()) return std::move(tried.answer);
    if (tried.refuses_limit_name) {
      const MutexLock lock(mutex_);
      const bool is_new = output_limit_ != OutputLimit::kMaxCompletionTokens;
      output_limit_ = OutputLimit::kMaxCompletionTokens;
      if (is_new) continue;
    }
    if (!tried.is_worth_another || attempt >= options_.server.tries) {
      return std::move(tried.answer);
    }
    SIBYL_TRY(Pause(attempt, tried, waiting.stop));
  }
}

Result<milliseconds> Model::TimeLeft() const {
  if (!options_.deadline) return options_.server.time;
  const milliseconds now = options_.client.stopwatch().Read();
  if (now >= *options_.deadline) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = "the time limit for models is reached"};
  }
  return std::min(options_.server.time, *options_.deadline - now);
}

net::Request Model::MakeRequest(const Question& question, OutputLimit limit) const {
  const Server& server = options_.server;
  net::Request request{.url = server.url, .method = net::Method::kPost};
  while (request.url.path.ends_with('/')) request.url.path.pop_back();
  request.url.path += RequestPath(server.protocol);
  request.headers = RequestHeaders(server.protocol);
  request.credentials = KeyHeaders(server.protocol, server.key);
  request.body = RequestBody(
      {.protocol = server.protocol, .model = server.model, .output_limit = limit}, question);
  request.limits.idle = server.idle;
  request.limits.redirects = 0;
  request.retry.tries = 1;  // retries are decided here, by the response
  return request;
}

Model::Try Model::AskOnce(const Question& question, const Waiting& waiting) {
  const Usage most = MostUsage(question);
  if (Status affordable = options_.budget.Reserve(most, waiting); !affordable.ok()) {
    if (affordable.error().kind != ErrorKind::kCancelled) {
      CountModelRequest(options_.server.model, "over_budget");
    }
    return {.answer = affordable.error()};
  }
  const Result<milliseconds> time = TimeLeft();  // it may have waited for a limit
  if (time.ok()) return Send(question, *time, waiting.stop);
  Settle(most, {});
  return {.answer = time.error()};
}

void Model::Settle(const Usage& most, const Usage& usage) {
  options_.budget.Settle(most, usage);
  CountModelUsage(options_.server.model, usage, CostOf(usage, options_.budget.price()));
}

// What was reserved for the request is settled here, whatever becomes of it.
Model::Try Model::Send(const Question& question, milliseconds time, const std::stop_token& stop) {
  const Usage most = MostUsage(question);
  OutputLimit limit = OutputLimit::kMaxTokens;
  {
    const MutexLock lock(mutex_);
    limit = output_limit_;
  }
  net::Request request = MakeRequest(question, limit);
  ModelRequestRecord record(options_.server.model);
  if (const auto header = record.traceparent()) {
    request.headers.push_back({"traceparent", *header});
  }
  AnswerReader reader(options_.server.protocol);
  request.limits.total = time;
  request.stop = stop;
  request.on_chunk = [&](std::string_view piece) { return reader.Feed(piece); };
  const Result<net::Response> response = options_.client.Send(request);

  // A stream that broke was computed, and may have been charged, up to there.
  const Usage broken =
      reader.HasBegun() ? Usage{.input = most.input, .output = reader.text_bytes()} : Usage{};
  if (!response.ok()) {
    record.Fail("failed", response.error().kind);
    Settle(most, broken);
    // A damaged response may be intact the next time.
    const bool is_passing = response.error().kind == ErrorKind::kUnavailable ||
                            response.error().kind == ErrorKind::kCorrupt;
    return {.answer = response.error(), .is_worth_another = is_passing};
  }
  if (!response->Succeeded()) {
    record.End(response->status, {});
    Settle(most, {});
    const bool is_worth_another = IsWorthAnotherTry(*response);
    return {.answer = Error{.kind = is_worth_another ? ErrorKind::kUnavailable : ErrorKind::kUsage,
                            .message = fmt::format("requesting {} from {}: status {}: {}",
                                                   options_.server.model, request.url.Text(),
                                                   response->status, ErrorText(response->body)),
                            .hint = std::string(HintFor(response->status))},
            .is_worth_another = is_worth_another,
            .refuses_limit_name = response->status == 400 &&
                                  response->body.find("max_completion_tokens") != std::string::npos,
            .asked_pause = AskedPause(*response, options_.client.clock().Now())};
  }
  Result<Answer> answer = reader.Finish();
  if (!answer.ok()) {
    record.Fail("incomplete", answer.error().kind);
    Settle(most, broken);
    return {.answer = answer.error(), .is_worth_another = true};
  }
  // Servers that do not count are charged for what could have been.
  if (answer->usage.input == 0) answer->usage.input = LikelyUsage(question).input;
  if (answer->usage.output == 0) answer->usage.output = answer->text.size() / 3;
  record.End(response->status, answer->usage);
  Settle(most, answer->usage);
  return {.answer = std::move(answer)};
}

Status Model::Pause(int attempt, const Try& last, const std::stop_token& stop) {
  milliseconds pause = std::min(kLongestPause, kFirstPause * (1 << std::min(attempt - 1, 10)));
  if (last.asked_pause) {
    if (*last.asked_pause > kLongestRetryAfter) return last.answer.error();
    pause = std::max(pause, *last.asked_pause);
  }
  // Nothing is gained by waiting for the end of the time.
  if (SIBYL_TRY(TimeLeft()) <= pause && options_.deadline) return last.answer.error();
  return options_.client.stopwatch().Sleep(pause, stop);
}

}  // namespace sibyl::model
