// SPDX-License-Identifier: Apache-2.0
#include "net/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <utility>

#include "base/mutex.h"
#include "base/strings.h"
#include "net/transfer.h"

namespace sibyl::net {
namespace {

namespace chrono = std::chrono;
using Milliseconds = chrono::milliseconds;

bool IsRedirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

bool IsWorthRetrying(int status) {
  return status == 408 || status == 429 || (status >= 500 && status <= 599 && status != 501);
}

// Fields with credentials, wherever a caller put them.
bool SpeaksForSomebody(std::string_view name) {
  constexpr std::string_view kNames[] = {"authorization", "cookie", "proxy-authorization",
                                         "x-api-key", "x-subscription-token"};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view known) { return EqualsIgnoringCase(known, name); });
}

std::vector<Header> HeadersFor(const Request& request, const Url& url, Method method) {
  const bool is_at_home = url.Origin() == request.url.Origin();
  std::vector<Header> headers;
  for (const Header& header : request.headers) {
    if (is_at_home || !SpeaksForSomebody(header.name)) headers.push_back(header);
  }
  if (is_at_home) {
    headers.insert(headers.end(), request.credentials.begin(), request.credentials.end());
  }
  if (method == Method::kPost) {
    headers.push_back(
        {.name = "Content-Type",
         .value = request.content_type.empty() ? "application/json" : request.content_type});
  }
  if (!request.validators.etag.empty()) {
    headers.push_back({.name = "If-None-Match", .value = request.validators.etag});
  }
  if (!request.validators.last_modified.empty()) {
    headers.push_back({.name = "If-Modified-Since", .value = request.validators.last_modified});
  }
  return headers;
}

// The target and method of a redirect.
struct NextHop {
  Url url;
  Method method;
};

Result<NextHop> FollowRedirect(const Url& from, Method method, const Response& response) {
  const auto location = response.headers.Find("Location");
  Url to = SIBYL_TRY(ResolveUrl(from, *location));
  // Never downgrade from https to http, which others can read and change; like
  // browsers, try https instead.
  if (from.scheme == "https" && to.scheme == "http") {
    if (to.port) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = fmt::format("redirected from https to '{}'", to.Text())};
    }
    to.scheme = "https";
  }
  if (method == Method::kPost && response.status != 303 && to.Origin() != from.Origin()) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("redirected a POST to another server, '{}', which is not followed",
                               to.Origin())};
  }
  const bool keeps_method = response.status == 307 || response.status == 308;
  return NextHop{.url = std::move(to), .method = keeps_method ? method : Method::kGet};
}

}  // namespace

struct Client::State {
  explicit State(const ClientOptions& given)
      : options(given),
        connections({.allow = given.allow,
                     .proxy = given.proxy,
                     .ca_file = given.ca_file.string(),
                     .budget = given.budget}),
        random(given.jitter_seed != 0 ? given.jitter_seed : std::random_device()()) {}

  Milliseconds PauseAfter(int tries, const RetryPolicy& policy);

  ClientOptions options;
  Connections connections;
  Mutex mutex;
  std::mt19937_64 random SIBYL_GUARDED_BY(mutex);
};

// Exponential backoff with jitter, so that clients that failed together do not
// retry together.
Milliseconds Client::State::PauseAfter(int tries, const RetryPolicy& policy) {
  const MutexLock lock(mutex);
  const double doubled = static_cast<double>(policy.first_pause.count()) *
                         static_cast<double>(1 << std::min(tries, 20) >> 1);
  const double pause = std::min(doubled, static_cast<double>(policy.longest_pause.count()));
  return Milliseconds(static_cast<Milliseconds::rep>(
      pause * (1.0 - std::uniform_real_distribution<double>(0.0, 0.25)(random))));
}

namespace {

// The state of one Send: what is left of its limits, over all hops and tries.
struct SendState {
  const Request& request;
  Url url;
  Method method;
  std::vector<Hop> hops = {};
  std::uint64_t wire_bytes = 0;
  Milliseconds spent{0};
  int tries = 0;
};

// How long to wait before asking again; nothing when this answer is the last.
std::optional<Milliseconds> RetryPause(const Attempt& attempt, const Clock& clock,
                                       const RetryPolicy& policy, Milliseconds backoff) {
  if (attempt.error) {
    return attempt.is_transient && !attempt.has_streamed ? std::optional(backoff) : std::nullopt;
  }
  if (!IsWorthRetrying(attempt.response.status)) return std::nullopt;
  const auto value = attempt.response.headers.Find("Retry-After");
  if (!value) return backoff;
  const auto asked = ParseRetryAfter(*value, clock.Now());
  if (!asked) return backoff;
  if (Milliseconds(*asked) > policy.longest_retry_after) return std::nullopt;
  return std::max(Milliseconds(*asked), backoff);
}

Error TooManyRedirects(const SendState& state) {
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("redirected more than {} times, last to '{}'",
                                      state.request.limits.redirects, state.url.Text())};
}

}  // namespace

Client::Client(const ClientOptions& options) : state_(std::make_unique<State>(options)) {}
Client::~Client() = default;

Network Client::network() const { return state_->options.network; }
const Clock& Client::clock() const { return state_->options.clock; }
Stopwatch& Client::stopwatch() const { return state_->options.stopwatch; }

namespace {

Attempt PerformOnce(Connections& connections, SendState& state, Budget* budget) {
  Attempt attempt;
  std::unique_ptr<Pass> pass;
  if (state.request.admit) {
    Result<std::unique_ptr<Pass>> admitted = state.request.admit(state.url);
    if (!admitted.ok()) {
      attempt.error = std::move(admitted).error();
      return attempt;
    }
    pass = std::move(admitted).value();
  }
  if (budget != nullptr) {
    if (Status taken = budget->TakeRequest(); !taken.ok()) {
      attempt.error = std::move(taken).error();
      return attempt;
    }
  }
  const auto began = chrono::steady_clock::now();
  const std::vector<Header> headers = HeadersFor(state.request, state.url, state.method);
  attempt = connections.Perform({.request = state.request,
                                 .url = state.url,
                                 .method = state.method,
                                 .headers = headers,
                                 .time_left = state.request.limits.total - state.spent});
  state.spent += chrono::duration_cast<Milliseconds>(chrono::steady_clock::now() - began);
  state.wire_bytes += attempt.response.wire_bytes;
  return attempt;
}

}  // namespace

Result<Response> Client::Send(const Request& request) {
  const std::string doing = fmt::format(
      "{} '{}'", request.method == Method::kPost ? "asking" : "fetching", request.url.Text());
  if (network() == Network::kForbidden) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = doing + ": the network is forbidden (--offline or SIBYL_OFFLINE)",
                 .hint = "run it again without --offline",
                 .cause = ErrorCause::kOffline};
  }
  SendState state{.request = request, .url = request.url, .method = request.method};
  int hop_tries = 0;
  while (true) {
    ++state.tries;
    ++hop_tries;
    Attempt attempt = PerformOnce(state_->connections, state, state_->options.budget);
    if (hop_tries < request.retry.tries && state.spent < request.limits.total) {
      const auto pause =
          RetryPause(attempt, clock(), request.retry, state_->PauseAfter(hop_tries, request.retry));
      if (pause) {
        if (Status slept = stopwatch().Sleep(*pause, request.stop); !slept.ok()) {
          return While(doing, std::move(slept).error());
        }
        continue;
      }
    }
    if (attempt.error) return While(doing, *std::move(attempt.error));
    Response& response = attempt.response;
    if (IsRedirect(response.status) && response.headers.Find("Location")) {
      state.hops.push_back({.url = state.url, .status = response.status});
      Result<NextHop> next = FollowRedirect(state.url, state.method, response);
      if (!next.ok()) return While(doing, std::move(next).error());
      state.url = std::move(next->url);
      state.method = next->method;
      if (std::cmp_greater(state.hops.size(), request.limits.redirects)) {
        return While(doing, TooManyRedirects(state));
      }
      hop_tries = 0;
      continue;
    }
    response.url = std::move(state.url);
    response.hops = std::move(state.hops);
    response.wire_bytes = state.wire_bytes;
    response.tries = state.tries;
    return std::move(response);
  }
}

Result<Response> Client::Get(const Url& url) { return Send({.url = url}); }

Validators Response::ResponseValidators() const {
  return {.etag = std::string(headers.Find("ETag").value_or("")),
          .last_modified = std::string(headers.Find("Last-Modified").value_or(""))};
}

}  // namespace sibyl::net
