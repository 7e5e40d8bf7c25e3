// SPDX-License-Identifier: Apache-2.0
// For tests: a server on loopback that answers with exactly the bytes it is
// given, whole or cut off, lying or stalled: what no decent server can be made
// to do. One thread accepts, one serves each connection.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/files/file_descriptor.h"
#include "base/mutex.h"

namespace sibyl::net {

/// The response to a request: bytes, and what happens to the connection after them.
struct TestAnswer {
  enum class Then { kClose, kReset, kStall, kNextRequest };

  std::string bytes;
  Then then = Then::kClose;
  /// With a pause between pieces of `piece_bytes`, when it is not zero.
  std::chrono::milliseconds pause{0};
  std::size_t piece_bytes = 1;
};

/// "HTTP/1.1 200 OK", the headers ("A: b\r\n"...), the right length, the body.
inline TestAnswer TestPage(std::string_view status, std::string_view headers,
                           std::string_view body) {
  return {.bytes = std::string("HTTP/1.1 ") + std::string(status) + "\r\n" + std::string(headers) +
                   "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
                   std::string(body),
          .then = TestAnswer::Then::kNextRequest};
}

class TestServer {
 public:
  /// `answer` gets the request as it came, head and body; called from many
  /// threads.
  explicit TestServer(std::function<TestAnswer(const std::string&)> answer)
      : answer_(std::move(answer)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(address);
    auto* raw = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_.number(), raw, length) != 0 || ::listen(listener_.number(), 64) != 0 ||
        ::getsockname(listener_.number(), raw, &length) != 0) {
      std::abort();
    }
    port_ = ntohs(address.sin_port);
    acceptor_ = std::jthread([this](const std::stop_token& stop) { Accept(stop); });
  }

  ~TestServer() {
    acceptor_.request_stop();
    acceptor_.join();
    std::vector<std::jthread> serving;
    {
      const MutexLock lock(mutex_);
      serving.swap(serving_);
    }
    for (std::jthread& thread : serving) thread.request_stop();
  }

  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  std::uint16_t port() const { return port_; }
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  std::string url(std::string_view path = "/") const {
    return "http://" + host() + std::string(path);
  }

  /// The requests so far, in the order they came.
  std::vector<std::string> requests() const {
    const MutexLock lock(mutex_);
    return requests_;
  }
  int connections() const { return connections_.load(); }

 private:
  static bool IsReadable(int descriptor) {
    pollfd waiting{.fd = descriptor, .events = POLLIN, .revents = 0};
    return ::poll(&waiting, 1, 20) > 0;
  }

  void Accept(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      if (!IsReadable(listener_.number())) continue;
      FileDescriptor connection(::accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!connection.is_open()) continue;
      ++connections_;
      const MutexLock lock(mutex_);
      serving_.emplace_back(
          [this](const std::stop_token& ask, FileDescriptor own) { Serve(ask, own); },
          std::move(connection));
    }
  }

  // The next request whole; empty at the end of the connection.
  static std::string ReadRequest(const std::stop_token& stop, int descriptor, std::string& rest) {
    while (!stop.stop_requested()) {
      const std::size_t end = rest.find("\r\n\r\n");
      if (end != std::string::npos) {
        std::size_t wanted = end + 4;
        const std::size_t length = rest.find("Content-Length: ");
        if (length < end) wanted += std::strtoul(rest.c_str() + length + 16, nullptr, 10);
        if (rest.size() >= wanted) {
          std::string request = rest.substr(0, wanted);
          rest.erase(0, wanted);
          return request;
        }
      }
      if (!IsReadable(descriptor)) continue;
      char buffer[4096];
      const ssize_t got = ::recv(descriptor, buffer, sizeof(buffer), 0);
      if (got <= 0) return {};
      rest.append(buffer, static_cast<std::size_t>(got));
    }
    return {};
  }

  static bool Write(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  void Serve(const std::stop_token& stop, FileDescriptor& connection) {
    std::string rest;
    while (true) {
      const std::string request = ReadRequest(stop, connection.number(), rest);
      if (request.empty()) return;
      {
        const MutexLock lock(mutex_);
        requests_.push_back(request);
      }
      const TestAnswer answer = answer_(request);
      if (!Send(stop, connection.number(), answer)) return;
      while (answer.then == TestAnswer::Then::kStall && !stop.stop_requested()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
      if (answer.then == TestAnswer::Then::kReset) {
        const linger now{.l_onoff = 1, .l_linger = 0};
        ::setsockopt(connection.number(), SOL_SOCKET, SO_LINGER, &now, sizeof(now));
      }
      if (answer.then != TestAnswer::Then::kNextRequest) return;
    }
  }

  static bool Send(const std::stop_token& stop, int descriptor, const TestAnswer& answer) {
    if (answer.pause.count() == 0) return Write(descriptor, answer.bytes);
    for (std::size_t at = 0; at < answer.bytes.size(); at += answer.piece_bytes) {
      if (stop.stop_requested() ||
          !Write(descriptor, std::string_view(answer.bytes).substr(at, answer.piece_bytes))) {
        return false;
      }
      std::this_thread::sleep_for(answer.pause);
    }
    return true;
  }

  std::function<TestAnswer(const std::string&)> answer_;
  FileDescriptor listener_;
  std::uint16_t port_ = 0;
  std::atomic<int> connections_ = 0;
  mutable Mutex mutex_;
  std::vector<std::string> requests_ SIBYL_GUARDED_BY(mutex_);
  std::vector<std::jthread> serving_ SIBYL_GUARDED_BY(mutex_);
  std::jthread acceptor_;
};

}  // namespace sibyl::net
