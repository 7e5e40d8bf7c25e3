// SPDX-License-Identifier: Apache-2.0
// Start here. The one way out of this program: requests over http and https
// with limits that hold.
//
//   url.h       addresses, read strictly          address.h  who must not be asked
//   client.h    one request, redirects, retries   visitor.h  the same as a polite guest
//   budget.h    what a run may spend              headers.h  what answers say
//   robots.h    robots.txt                        pace.h     pauses between requests
//
// What came is data: bytes, never followed, run or believed here. An answer of
// any status is a Response; an Error is an answer that did not come, or did not
// come whole.
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

/// The word for us in robots.txt and the first of the user agent.
inline constexpr std::string_view kProductToken = "sibyl";

struct Limits {
  std::uint64_t body_bytes = std::uint64_t{32} << 20;  ///< After decompression.
  std::uint64_t wire_bytes = std::uint64_t{32} << 20;  ///< As it comes.
  std::uint64_t header_bytes = std::uint64_t{64} << 10;
  /// A body may be this many times as long as what came over the wire.
  std::uint64_t expansion = 200;
  std::chrono::milliseconds connect{10'000};
  /// Without a byte in either direction.
  std::chrono::milliseconds idle{30'000};
  /// Of all redirects and tries together; pauses between them are not counted.
  std::chrono::milliseconds total{120'000};
  int redirects = 10;
};

/// When to ask again: 408, 429, 5xx and broken connections. The pause doubles
/// from `first_pause`, or is what Retry-After says.
struct RetryPolicy {
  int tries = 3;
  std::chrono::milliseconds first_pause{500};
  std::chrono::milliseconds longest_pause{8'000};
  /// A server that wants us to wait longer is not waited for: its answer is given.
  std::chrono::milliseconds longest_retry_after{60'000};
};

/// What was learnt from an earlier answer: sent, an unchanged page is answered
/// with 304 and no body.
struct Validators {
  std::string etag;
  std::string last_modified;
};

/// A permission to ask now; held until the answer has come.
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
  /// Media types that are welcome in a 2xx, "text/*" and "*/*" included; empty
  /// takes all. Others are refused before their body is read.
  std::vector<std::string> types = {};
  Limits limits = {};
  RetryPolicy retry = {};

  /// Takes the body of a 2xx piece by piece as it comes; Response::body then
  /// stays empty, and nothing is asked again once a piece was given. An error
  /// ends the transfer and becomes the result. Bodies of other statuses are kept.
  std::function<Status(std::string_view)> on_chunk = {};

  /// Asked before every single request, each redirect and try included; an error
  /// ends it all.
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
  Url url;                ///< Where the answer came from, after redirects.
  std::vector<Hop> hops;  ///< The redirects before it.
  std::string address;    ///< The IP address that answered.
  std::uint64_t body_bytes = 0;
  std::uint64_t wire_bytes = 0;  ///< Of all hops, headers included.
  int tries = 1;
  /// Nobody said how long the body is: it ended with the connection, perhaps too early.
  /// Over plain http only; elsewhere an early end can be told, and is an error.
  bool ended_with_connection = false;

  bool Succeeded() const { return status >= 200 && status < 300; }
  bool NotModified() const { return status == 304; }
  Validators ResponseValidators() const;
};

struct ClientOptions {
  const Clock& clock;
  Stopwatch& stopwatch = SystemStopwatch();
  Network network = Network::kAllowed;  ///< Forbidden: every request is an error.
  /// Hosts that may stand at private addresses: "localhost:8080", or "build.lan"
  /// for that host at any port.
  std::vector<std::string> allow = {};
  /// "http://proxy:3128" for all requests; in `allow` too, if it stands at a private
  /// address. Proxies of the environment are not used (docs/decisions/0070).
  std::string proxy = {};
  std::filesystem::path ca_file = {};  ///< Certificates to trust instead of the system's.
  Budget* budget = nullptr;            ///< Borrowed; outlives the client.
  std::uint64_t jitter_seed = 0;       ///< 0 takes one that differs between runs.
};

/// Thread-safe: one client serves all threads, and they share its connections.
class Client {
 public:
  explicit Client(const ClientOptions& options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// The answer after redirects and retries. A body is whole, or there is none:
  /// a connection that broke, a length that was a lie and an unfinished chunk
  /// are errors (but see Response::ended_with_connection). kUsage for what should not be asked (a
  /// private address, a type that is not welcome, more bytes than the limits), kNotFound for a host
  /// without an address, kUnavailable for what later may work, kCancelled.
  Result<Response> Send(const Request& request);

  /// The same as a plain GET.
  Result<Response> Get(const Url& url);

  Network network() const;
  const Clock& clock() const;
  Stopwatch& stopwatch() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sibyl::net
