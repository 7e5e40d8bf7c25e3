// SPDX-License-Identifier: Apache-2.0
// A small HTTP server. One thread accepts, reads and writes for all connections
// and never waits for one of them; a few workers answer. Every wait and every
// size is limited, per connection, per client and in all.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <utility>

#include "base/result.h"
#include "interface/web/http_clients.h"
#include "interface/web/http_reader.h"
#include "interface/web/http_service.h"

namespace sibyl::interface {

struct HttpServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;                   ///< Zero: any that is free.
  ClientLimits clients = {};                ///< In total; http_clients.h has the limits per client.
  HttpLimits limits = {};                   ///< Of one request.
  std::size_t most_requests = 1'000;        ///< On one connection.
  std::chrono::milliseconds idle{60'000};   ///< Between two requests.
  std::chrono::milliseconds head{10'000};   ///< From the first byte of a head to its last.
  std::chrono::milliseconds body{30'000};   ///< The same of a body.
  std::chrono::milliseconds queue{30'000};  ///< Waiting for a worker.
  std::chrono::milliseconds writing{30'000};  ///< A response, until the client has read it.
  /// Answering, after which it is asked to stop, without and with the token.
  std::chrono::milliseconds answering{600'000};
  std::chrono::milliseconds answering_with_token{7'200'000};
  std::chrono::milliseconds grace{5'000};     ///< Then it is abandoned.
  std::chrono::milliseconds farewell{5'000};  ///< For requests in progress, at the end.
};

class HttpServer {
 public:
  /// Listens when this returns.
  static Result<HttpServer> Listen(const HttpServerOptions& options);

  HttpServer(HttpServer&& other) noexcept;
  HttpServer& operator=(HttpServer&&) = delete;
  ~HttpServer();

  std::uint16_t port() const { return port_; }

  enum class Ending : std::uint8_t {
    kEnded,
    kLeftOver,  ///< An answer did not end in time; its thread still uses the service.
  };
  /// Serves until `stop`.
  Ending Serve(HttpService& service, const std::stop_token& stop);

 private:
  HttpServer(HttpServerOptions options, int listener, std::uint16_t port)
      : options_(std::move(options)), listener_(listener), port_(port) {}

  HttpServerOptions options_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
};

}  // namespace sibyl::interface
