// SPDX-License-Identifier: Apache-2.0
// For tests: a server on a free port, and clients that send it bytes.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "interface/web/http_server.h"

namespace sibyl::interface {

class TestServer {
 public:
  TestServer(HttpService& service, HttpServerOptions options) {
    Result<HttpServer> http = HttpServer::Listen(options);
    EXPECT_TRUE(http.ok());
    http_.emplace(std::move(http).value());
    port_ = http_->port();
    thread_ = std::thread([this, &service] { http_->Serve(service, stop_.get_token()); });
  }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;
  ~TestServer() {
    stop_.request_stop();
    thread_.join();
  }

  std::uint16_t port() const { return port_; }

  int Connect() const { return ConnectFrom(INADDR_LOOPBACK); }
  /// From that address of this machine; all of 127.0.0.0/8 are.
  int ConnectFrom(in_addr_t from) const {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(from);
    EXPECT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    address.sin_port = htons(port_);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    return socket;
  }
  static void Say(int socket, std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;  // refused before all was sent
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  /// All that comes until the server closes.
  static std::string Hear(int socket) {
    std::string all;
    std::array<char, 4096> bytes{};
    for (ssize_t got = 0; (got = ::recv(socket, bytes.data(), bytes.size(), 0)) > 0;) {
      all.append(bytes.data(), static_cast<std::size_t>(got));
    }
    ::close(socket);
    return all;
  }
  /// Reads until `end` has arrived or the server closes the connection.
  static std::string HearUntil(int socket, std::string_view end) {
    std::string all;
    char byte = 0;
    while (all.find(end) == std::string::npos && ::recv(socket, &byte, 1, 0) == 1) all += byte;
    return all;
  }
  /// `head` without the empty line; Host, Connection and Content-Length are added.
  std::string Ask(std::string_view head, std::string_view body = {}) const {
    const int socket = Connect();
    Say(socket, std::string(head) + "Host: localhost\r\nConnection: close\r\nContent-Length: " +
                    std::to_string(body.size()) + "\r\n\r\n" + std::string(body));
    return Hear(socket);
  }

 private:
  std::optional<HttpServer> http_;
  std::uint16_t port_ = 0;
  std::stop_source stop_;
  std::thread thread_;
};

}  // namespace sibyl::interface
