// SPDX-License-Identifier: Apache-2.0
// One connection of the server: its socket, input and output. The server's
// thread owns it; while a request is being answered, a worker uses it as an
// HttpExchange.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "interface/web/http_clients.h"
#include "interface/web/http_reader.h"
#include "interface/web/http_service.h"

namespace sibyl::interface {

class HttpConnection : public HttpExchange {
 public:
  using Clock = std::chrono::steady_clock;

  enum class State : std::uint8_t {
    kReading,    ///< A head or a body, or nothing yet.
    kWaiting,    ///< For a worker.
    kRunning,    ///< A worker answers.
    kWriting,    ///< The response.
    kLingering,  ///< Discards input, so that closing does not destroy the response.
  };

  /// Owns the socket, which is non-blocking.
  HttpConnection(int socket, std::string client, const HttpLimits& limits,
                 std::chrono::milliseconds writing)
      : reader(limits), socket_(socket), client_(std::move(client)), writing_(writing) {}
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;
  ~HttpConnection() override;

  int socket() const { return socket_; }

  // HttpExchange
  const HttpRequest& request() const override { return current; }
  const std::string& client() const override { return client_; }
  std::stop_token gone() const override { return gone_.get_token(); }
  std::stop_token overdue() const override { return overdue_.get_token(); }
  bool BeginStream(const HttpResponse& head) override SIBYL_EXCLUDES(mutex_);
  bool Write(std::string_view bytes) override;

  /// Whether the client has closed its side, or all of it.
  bool HasLeft() const;
  void Leave() { gone_.request_stop(); }
  void MakeOverdue() {
    overdue_.request_stop();
    gone_.request_stop();
  }
  /// Abandons the worker: it can no longer write. False if it has started a
  /// stream, so that nothing else can be written either.
  bool GiveUp() SIBYL_EXCLUDES(mutex_);
  bool is_stream() const SIBYL_EXCLUDES(mutex_);

  // Used only by the server's thread.
  State state = State::kReading;
  HttpReader reader;
  HttpRequest current;   ///< The request being answered.
  HttpResponse answer;   ///< Set by the worker, before it reports that it is done.
  std::string unread;    ///< Received, not yet consumed: the next requests.
  std::string output;    ///< Not yet sent.
  std::size_t sent = 0;  ///< Of `output`.
  std::size_t requests = 0;
  std::size_t discarded = 0;  ///< While lingering.
  std::size_t buffered = 0;   ///< As it was last counted.
  Caller buffered_as = Caller::kAnonymous;
  std::uint32_t events = 0;  ///< That epoll watches; 0: none.
  bool closes_after_output = false;
  bool is_admitted = false;
  bool is_quick = false;
  bool is_given_up = false;
  Caller caller = Caller::kAnonymous;
  Clock::time_point since;     ///< When it entered its state, or last made progress in it.
  Clock::time_point deadline;  ///< For what it is doing.

 private:
  bool Send(std::string_view bytes) const;

  const int socket_;
  const std::string client_;
  const std::chrono::milliseconds writing_;
  std::stop_source gone_;
  std::stop_source overdue_;
  mutable Mutex mutex_;
  bool is_stream_ SIBYL_GUARDED_BY(mutex_) = false;
  bool cannot_write_ SIBYL_GUARDED_BY(mutex_) = false;
};

}  // namespace sibyl::interface
