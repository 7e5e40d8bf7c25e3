// SPDX-License-Identifier: Apache-2.0
// One request and its response over libcurl, and connection reuse. Only this room's
// transfer* files use the library.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "net/client.h"

namespace sibyl::net {

/// One request as it is sent, redirects and retries decided.
struct Outgoing {
  const Request& request;  ///< Limits, types, callbacks, stop.
  const Url& url;
  Method method = Method::kGet;
  const std::vector<Header>& headers;
  std::chrono::milliseconds time_left;
};

struct Attempt {
  Response response;
  std::optional<Error> error;
  bool is_transient = false;  ///< The same request may succeed later.
  bool has_streamed = false;  ///< A piece was passed to Request::on_chunk.
};

struct ConnectionOptions {
  std::vector<std::string> allow;  ///< As in ClientOptions.
  std::string proxy;
  std::string ca_file;
  Budget* budget = nullptr;
};

/// Thread-safe.
class Connections {
 public:
  explicit Connections(ConnectionOptions options);
  ~Connections();
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  /// Never follows a redirect and never retries.
  Attempt Perform(const Outgoing& outgoing);

 private:
  struct Line;
  std::unique_ptr<Line> Take(const std::string& origin);
  void GiveBack(std::unique_ptr<Line> line);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sibyl::net
