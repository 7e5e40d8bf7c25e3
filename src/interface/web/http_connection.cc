// SPDX-License-Identifier: Apache-2.0
#include "interface/web/http_connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace sibyl::interface {

HttpConnection::~HttpConnection() { ::close(socket_); }

bool HttpConnection::HasLeft() const {
  pollfd asked{.fd = socket_, .events = POLLRDHUP, .revents = 0};
  return ::poll(&asked, 1, 0) > 0 && (asked.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

bool HttpConnection::BeginStream(const HttpResponse& head) {
  {
    const MutexLock lock(mutex_);
    if (cannot_write_) return false;
    is_stream_ = true;
  }
  return Send(FormatHttpStreamHead(head));
}

bool HttpConnection::Write(std::string_view bytes) { return Send(bytes); }

bool HttpConnection::GiveUp() {
  const MutexLock lock(mutex_);
  cannot_write_ = true;
  return !is_stream_;
}

bool HttpConnection::is_stream() const {
  const MutexLock lock(mutex_);
  return is_stream_;
}

// Waits for a slow client, on the worker's thread, but never past the deadline
// of the answer.
bool HttpConnection::Send(std::string_view bytes) const {
  constexpr std::chrono::milliseconds kTick{100};
  const auto end = Clock::now() + writing_;
  while (!bytes.empty()) {
    const ssize_t taken = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (taken >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(taken));
      continue;
    }
    if (errno == EINTR) continue;
    const bool is_full = errno == EAGAIN || errno == EWOULDBLOCK;
    if (!is_full || Clock::now() >= end || overdue_.stop_requested()) return false;
    pollfd waiting{.fd = socket_, .events = POLLOUT, .revents = 0};
    ::poll(&waiting, 1, static_cast<int>(kTick.count()));
  }
  return true;
}

}  // namespace sibyl::interface
