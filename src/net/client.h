// SPDX-License-Identifier: Apache-2.0
// Start here. The only network access besides git: http and https requests with
// enforced limits.
//
//   url.h       addresses, read strictly          address.h  forbidden addresses
//   client.h    one request, redirects, retries   visitor.h  robots.txt, rate limit
//   budget.h    what a run may spend              headers.h  response headers
//   robots.h    robots.txt                        pace.h     pauses between requests
//
// Responses are data and are never interpreted here. A response with any status
// is a Response; an Error means that there was none, or that it was incomplete.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/network.h"
#include "base/result.h"
#include "base/stopwatch.h"
#include "net/budget.h"
#include "net/headers.h"
#include "net/url.h"

namespace sibyl::net {

/// Our product token in robots.txt and in the user agent.
inline constexpr std::string_view kProductToken = "sibyl";

struct Limits {
  std::uint64_t body_bytes = std::uint64_t{32} << 20;  ///< After decompression.
  std::uint64_t wire_bytes = std::uint64_t{32} << 20;  ///< On the wire.
  std::uint64_t header_bytes = std::uint64_t{64} << 10;
  /// Largest ratio of a decompressed body to its bytes on the wire.
  std::uint64_t expansion = 200;
  std::chrono::milliseconds connect{10'000};
  /// Without a byte in either direction.
  std::chrono::milliseconds idle{30'000};
  /// Limit for all redirects and tries together; pauses between them are not counted.
  std::chrono::milliseconds total{120'000};
  int redirects = 10;
};

/// When to retry: 408, 429, 5xx and lost connections. The pause doubles from
/// `first_pause`, or is the time in Retry-After.
struct RetryPolicy {
  int tries = 3;
  std::chrono::milliseconds first_pause{500};
  std::chrono::milliseconds longest_pause{8'000};
  /// If a server requests a longer pause, its response is returned instead.
  std::chrono::milliseconds longest_retry_after{60'000};
};

/// Validators of an earlier response: with them, an unchanged page is answered
/// with 304 and no body.
struct Validators {
  std::string etag;
  std::string last_modified;
};

/// Permission to send a request; held until the response has arrived.
class Pass {
 public:
  virtual ~Pass() = default;
};

enum class Method { kGet, kPost };

struct Request {
  Url url;
  Method method = Method::kGet;
  std::vector<Header> headers = {};
  /// Sent to the origin of `url` alone, never after a redirect elsewhere, and in
  /// no message: keys.
  std::vector<Header> credentials = {};
  std::string body = {};          ///< Of a POST.
  std::string content_type = {};  ///< Of the body; "application/json" when empty.
  Validators validators = {};
  /// Accepted media types of a 2xx, such as "text/*" and "*/*"; empty accepts
  /// all. Others are refused before their body is read.
  std::vector<std::string> types = {};
  Limits limits = {};
  RetryPolicy retry = {};

  /// Receives the body of a 2xx in pieces as it arrives; Response::body then
  /// stays empty, and there is no retry after the first piece. An error ends
  /// the transfer and becomes the result. Bodies of other statuses are kept.
  std::function<Status(std::string_view)> on_chunk = {};

  /// Called before every request, including redirects and retries; an error
  /// ends it.
  std::function<Result<std::unique_ptr<Pass>>(const Url&)> admit = {};

  std::stop_token stop = {};
};

struct Hop {
  Url url;
  int status = 0;
};

struct Response {
  int status = 0;
  Headers headers;
  std::string body;
  Url url;                ///< The final address, after redirects.
  std::vector<Hop> hops;  ///< The redirects before it.
  std::string address;    ///< The IP address that answered.
  std::uint64_t body_bytes = 0;
  std::uint64_t wire_bytes = 0;  ///< Of all hops, headers included.
  int tries = 1;
  /// The body had no length: it ended with the connection, perhaps too early.
  /// Only over plain http; otherwise truncation is detected and is an error.
  bool ended_with_connection = false;

  bool Succeeded() const { return status >= 200 && status < 300; }
  bool NotModified() const { return status == 304; }
  Validators ResponseValidators() const;
};

struct ClientOptions {
  const Clock& clock;
  Stopwatch& stopwatch = SystemStopwatch();
  Network network = Network::kAllowed;  ///< Forbidden: every request is an error.
  /// Hosts that may be at private addresses: "localhost:8080", or "build.lan"
  /// for that host at any port.
  std::vector<std::string> allow = {};
  /// "http://proxy:3128" for all requests; also in `allow`, if it is at a
  /// private address. Proxies in the environment are not used
  /// (docs/decisions/0070).
  std::string proxy = {};
  std::filesystem::path ca_file = {};  ///< Certificates to trust instead of the system's.
  Budget* budget = nullptr;            ///< Borrowed; outlives the client.
  std::uint64_t jitter_seed = 0;       ///< 0 chooses a random one.
};

/// Thread-safe: one client serves all threads, and they share its connections.
class Client {
 public:
  explicit Client(const ClientOptions& options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// The response after redirects and retries. A body is complete, or there is
  /// none: a lost connection, a wrong length and an unfinished chunk are errors
  /// (but see Response::ended_with_connection). kUsage for requests that are
  /// not allowed (a private address, a type that is not accepted, more bytes
  /// than the limits), kNotFound for a host without an address, kUnavailable
  /// for errors that may be temporary, kCancelled.
  Result<Response> Send(const Request& request);

  /// Sends a plain GET.
  Result<Response> Get(const Url& url);

  Network network() const;
  const Clock& clock() const;
  Stopwatch& stopwatch() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sibyl::net
