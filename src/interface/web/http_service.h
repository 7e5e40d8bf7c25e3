// SPDX-License-Identifier: Apache-2.0
// The application behind a server: accepts or refuses a request by its head,
// and answers it.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "interface/web/http_message.h"

namespace sibyl::interface {

/// A request being answered. Belongs to the thread that answers it.
class HttpExchange {
 public:
  virtual ~HttpExchange() = default;

  virtual const HttpRequest& request() const = 0;
  /// The client's address, without its port; an IPv6 network (/64) is one client.
  virtual const std::string& client() const = 0;
  /// Requested if the client disconnects, the answer takes too long, or the
  /// server stops.
  virtual std::stop_token gone() const = 0;
  /// The last two of these alone.
  virtual std::stop_token overdue() const = 0;

  /// A streamed response: the head once, then the pieces passed to Write.
  /// False: the client is gone. The connection closes when the service returns.
  virtual bool BeginStream(const HttpResponse& head) = 0;
  virtual bool Write(std::string_view bytes) = 0;
};

struct HeadJudgement {
  /// Sent instead of reading the body and answering.
  std::optional<HttpResponse> refusal = {};
  bool has_token = false;
  /// Answered in microseconds: done at once, whatever else is running.
  bool is_quick = false;
  std::size_t most_body_bytes = 0;
};

/// Thread-safe.
class HttpService {
 public:
  virtual ~HttpService() = default;

  /// Called with the head alone, before any byte of the body is accepted. Must
  /// not wait for anything: all connections wait for it.
  virtual HeadJudgement Judge(const HttpRequest& head) = 0;
  /// The response; ignored if a stream was started.
  virtual HttpResponse Answer(HttpExchange& exchange) = 0;
  /// The server refuses a request by itself: too many, too slow. `head` has what was read of it.
  virtual HttpResponse Refusal(const HttpRequest& head, int status, std::string_view reason) const {
    static_cast<void>(head);
    return TextResponse(status, reason);
  }
};

}  // namespace sibyl::interface
