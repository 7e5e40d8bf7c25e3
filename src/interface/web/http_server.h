// SPDX-License-Identifier: Apache-2.0
// A small HTTP server: one thread for each connection, of which there are only
// so many; limits on every wait and every size; an end in good order.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"
#include "interface/web/http_message.h"

namespace sibyl::interface {

/// A request at hand, and the way back. Belongs to the thread that answers.
class HttpExchange {
 public:
  virtual ~HttpExchange() = default;

  virtual const HttpRequest& request() const = 0;
  /// Asked to stop when the other side is gone, or the server ends.
  virtual std::stop_token gone() const = 0;

  /// An answer piece by piece: the head once, then what Write is given. False:
  /// nobody reads it any more. The connection is over when the handler returns.
  virtual bool BeginStream(const HttpResponse& head) = 0;
  virtual bool Write(std::string_view bytes) = 0;
};

/// What to answer; not looked at when a stream was begun. Called on many threads.
using HttpHandler = std::function<HttpResponse(HttpExchange&)>;

struct HttpServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  ///< Zero: any that is free.
  std::size_t most_connections = 64;
  std::chrono::milliseconds idle{60'000};     ///< Between two requests.
  std::chrono::milliseconds reading{15'000};  ///< From the first byte to the last.
  std::chrono::milliseconds writing{30'000};  ///< Until the other side takes more.
  std::chrono::milliseconds farewell{5'000};  ///< For requests at hand, at the end.
  HttpLimits limits = {};
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
    kLeftOver,  ///< A handler did not come to its end in time.
  };
  /// Serves until `stop`.
  Ending Serve(const HttpHandler& handler, const std::stop_token& stop);

 private:
  HttpServer(HttpServerOptions options, int listener, std::uint16_t port)
      : options_(std::move(options)), listener_(listener), port_(port) {}

  HttpServerOptions options_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
};

}  // namespace sibyl::interface
