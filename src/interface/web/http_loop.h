// SPDX-License-Identifier: Apache-2.0
// The one thread of a server that accepts, reads and writes. It never waits for
// a single connection; answering is the workers' part.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "interface/web/http_clients.h"
#include "interface/web/http_connection.h"
#include "interface/web/http_server.h"
#include "interface/web/http_workers.h"

namespace sibyl::interface {

class HttpLoop {
 public:
  /// All are borrowed; `listener` is non-blocking.
  HttpLoop(const HttpServerOptions& options, int listener, HttpService& service);
  HttpLoop(const HttpLoop&) = delete;
  HttpLoop& operator=(const HttpLoop&) = delete;
  ~HttpLoop();

  /// Runs until `stop`, then finishes the requests in progress. False if some could not be
  /// finished.
  bool Run(const std::stop_token& stop);

 private:
  using Clock = HttpConnection::Clock;
  using Handle = std::shared_ptr<HttpConnection>;  // a worker may have it too
  using State = HttpConnection::State;

  void Turn();
  void LookAround();
  void Watch(int descriptor, std::uint32_t events, int operation) const;
  void Watch(HttpConnection& connection, std::uint32_t events) const;

  void Accept();
  void Welcome(int socket, const std::string& client);
  bool MakeRoom(const std::string& client);
  Handle LongestIdle(const std::string* client) const;

  void OnEvent(const Handle& connection, std::uint32_t events);
  void Receive(const Handle& connection);
  void Advance(const Handle& connection);
  void AdvanceOnce(const Handle& connection);
  void Judge(const Handle& connection);
  bool Admit(const Handle& connection);
  void Begin(const Handle& connection);
  void StartWaiting();
  void Collect();

  void Refuse(const Handle& connection, int status, std::string_view reason);
  void Respond(const Handle& connection, const HttpResponse& response);
  void Flush(const Handle& connection);
  void EndResponse(const Handle& connection);
  void Linger(const Handle& connection);
  void Discard(const Handle& connection);
  void Close(const Handle& connection);

  void Enter(HttpConnection& connection, State state, std::chrono::milliseconds limit) const;
  void Account(HttpConnection& connection);
  bool IsStuck(const HttpConnection& connection) const;
  bool MakeRoomForBytes(const Handle& connection);
  void Dismiss(HttpConnection& connection);
  void CheckTime(const Handle& connection);
  void CheckRunning(const Handle& connection);
  void WaitForRequests(std::chrono::milliseconds patience);

  const HttpServerOptions& options_;
  const int listener_;
  HttpService& service_;
  const int epoll_;
  HttpClients clients_;
  HttpWorkers workers_;
  std::map<int, Handle> connections_;  // by socket
  std::deque<Handle> waiting_;         // for a worker, the first first
  std::size_t given_up_ = 0;           // workers that are not waited for any longer
  Clock::time_point now_;
  Clock::time_point next_look_;
  bool is_accepting_ = true;
  bool is_ending_ = false;
};

}  // namespace sibyl::interface
