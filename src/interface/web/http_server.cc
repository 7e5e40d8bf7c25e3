// SPDX-License-Identifier: Apache-2.0
#include "interface/web/http_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <utility>

#include "base/os_error.h"
#include "interface/web/http_loop.h"

namespace sibyl::interface {
namespace {

struct Address {
  sockaddr_storage bytes{};
  socklen_t length = 0;
};

std::optional<Address> AddressOf(const std::string& text, std::uint16_t port) {
  Address address;
  auto* four = reinterpret_cast<sockaddr_in*>(&address.bytes);
  if (::inet_pton(AF_INET, text.c_str(), &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(port);
    address.length = sizeof(sockaddr_in);
    return address;
  }
  auto* six = reinterpret_cast<sockaddr_in6*>(&address.bytes);
  if (::inet_pton(AF_INET6, text.c_str(), &six->sin6_addr) != 1) return std::nullopt;
  six->sin6_family = AF_INET6;
  six->sin6_port = htons(port);
  address.length = sizeof(sockaddr_in6);
  return address;
}

std::uint16_t PortOf(int socket) {
  Address address;
  address.length = sizeof(address.bytes);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address.bytes), &address.length);
  return ntohs(address.bytes.ss_family == AF_INET6
                   ? reinterpret_cast<sockaddr_in6*>(&address.bytes)->sin6_port
                   : reinterpret_cast<sockaddr_in*>(&address.bytes)->sin_port);
}

}  // namespace

Result<HttpServer> HttpServer::Listen(const HttpServerOptions& options) {
  const std::string doing = fmt::format("listening on {}:{}", options.address, options.port);
  std::optional<Address> address = AddressOf(options.address, options.port);
  if (!address) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("{}: not an IP address", doing),
                 .hint = "use 127.0.0.1, ::1, or another address of this machine"};
  }
  const int listener =
      ::socket(address->bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) return OsError(doing, errno);
  HttpServer server(options, listener, 0);  // closes it, whatever happens
  const int yes = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  constexpr int kWaiting = 512;
  if (::bind(listener, reinterpret_cast<const sockaddr*>(&address->bytes), address->length) != 0 ||
      ::listen(listener, kWaiting) != 0) {
    return OsError(doing, errno);
  }
  server.port_ = PortOf(listener);
  return server;
}

HttpServer::HttpServer(HttpServer&& other) noexcept
    : options_(std::move(other.options_)),
      listener_(std::exchange(other.listener_, -1)),
      port_(other.port_) {}

HttpServer::~HttpServer() {
  if (listener_ >= 0) ::close(listener_);
}

HttpServer::Ending HttpServer::Serve(HttpService& service, const std::stop_token& stop) {
  HttpLoop loop(options_, listener_, service);
  const bool is_done = loop.Run(stop);
  ::close(std::exchange(listener_, -1));
  return is_done ? Ending::kEnded : Ending::kLeftOver;
}

}  // namespace sibyl::interface
