// SPDX-License-Identifier: Apache-2.0
// The threads that answer requests. The caller decides how many run at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "interface/web/http_connection.h"

namespace sibyl::interface {

class HttpWorkers {
 public:
  using Job = std::shared_ptr<HttpConnection>;  // shared with the server's thread

  /// `service` is borrowed, also by threads that Finish left running.
  explicit HttpWorkers(HttpService& service);
  HttpWorkers(const HttpWorkers&) = delete;
  HttpWorkers& operator=(const HttpWorkers&) = delete;
  ~HttpWorkers();

  /// Readable when there are finished requests.
  int done_event() const;
  /// Starts at once: a thread is made when none is idle.
  void Start(Job job);
  /// Requests finished since the last call.
  std::vector<Job> TakeDone();

  enum class Ending : std::uint8_t { kJoined, kLeftRunning };
  /// Ends the idle threads and waits for the others for so long.
  Ending Finish(std::chrono::milliseconds patience);

 private:
  struct Shared;
  static void Work(const std::shared_ptr<Shared>& shared);
  void JoinEnded();

  std::shared_ptr<Shared> shared_;  // with threads that outlive this
};

}  // namespace sibyl::interface
