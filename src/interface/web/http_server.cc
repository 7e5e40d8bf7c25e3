// SPDX-License-Identifier: Apache-2.0
#include "interface/web/http_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/os_error.h"

namespace sibyl::interface {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// How often the one thread that owns nothing looks for clients that left.
constexpr milliseconds kGlance{100};

enum class Waited : std::uint8_t { kReady, kTooLong, kGone };

Waited WaitFor(int socket, short events, Clock::time_point end, const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const auto left = std::chrono::duration_cast<milliseconds>(end - Clock::now());
    if (left.count() <= 0) return Waited::kTooLong;
    pollfd waiting{.fd = socket, .events = events, .revents = 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::min(left, kGlance).count()));
    if (ready > 0) return Waited::kReady;
    if (ready < 0 && errno != EINTR) return Waited::kGone;
  }
  return Waited::kGone;
}

// One connection: its socket, and whether its client is still there.
class Connection : public HttpExchange {
 public:
  Connection(int socket, const HttpServerOptions& options) : socket_(socket), options_(options) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() override { ::close(socket_); }

  const HttpRequest& request() const override { return request_; }
  std::stop_token gone() const override { return gone_.get_token(); }

  bool BeginStream(const HttpResponse& head) override {
    is_stream_ = true;
    return Send(FormatHttpStreamHead(head));
  }
  bool Write(std::string_view bytes) override { return Send(bytes); }

  // Requests, one after the other, until one is the last.
  void Serve(const HttpHandler& handler) {
    while (ReadRequest()) {
      SetBusy(true);
      HttpResponse response = handler(*this);
      SetBusy(false);
      if (is_stream_) return;
      const bool goes_on = request_.keeps_alive && !ending_.stop_requested();
      if (!Send(FormatHttpResponse(response, goes_on)) || !goes_on) return;
    }
  }

  void Refuse(int status, std::string_view reason) {
    Send(FormatHttpResponse({.status = status,
                             .headers = {{"Content-Type", "text/plain; charset=utf-8"}},
                             .body = fmt::format("{}\n", reason)},
                            false));
    // Closing with unread bytes would take the answer back.
    ::shutdown(socket_, SHUT_WR);
    std::array<char, 4096> rest{};
    const auto end = Clock::now() + milliseconds(200);
    while (WaitFor(socket_, POLLIN, end, {}) == Waited::kReady &&
           ::recv(socket_, rest.data(), rest.size(), MSG_DONTWAIT) > 0) {
    }
  }

  // From the thread that looks around.
  void LookAfter() SIBYL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (!is_busy_) return;
    pollfd asked{.fd = socket_, .events = POLLRDHUP, .revents = 0};
    if (::poll(&asked, 1, 0) > 0 && (asked.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0) {
      gone_.request_stop();
    }
  }
  // No further request is taken; one at hand may finish.
  void End() { ending_.request_stop(); }
  void Leave() SIBYL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    gone_.request_stop();
  }

 private:
  void SetBusy(bool is_busy) SIBYL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    is_busy_ = is_busy;
  }

  bool ReadRequest() {
    auto end = Clock::now() + (buffer_.empty() ? options_.idle : options_.reading);
    bool has_leave = false;
    while (true) {
      HttpReading reading = ReadHttpRequest(buffer_, options_.limits);
      if (reading.state == HttpReading::State::kRefused) {
        Refuse(reading.status, reading.reason);
        return false;
      }
      if (reading.state == HttpReading::State::kComplete) {
        request_ = std::move(reading.request);
        buffer_.erase(0, reading.consumed);
        return true;
      }
      if (reading.waits_for_leave && !std::exchange(has_leave, true)) {
        if (!Send("HTTP/1.1 100 Continue\r\n\r\n")) return false;
      }
      const bool is_idle = buffer_.empty();
      const Waited waited = WaitFor(socket_, POLLIN, end, ending_.get_token());
      if (waited == Waited::kTooLong && !is_idle) Refuse(408, "the request took too long");
      if (waited != Waited::kReady) return false;
      std::array<char, 65'536> bytes{};
      const ssize_t got = ::recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (got <= 0) return false;
      buffer_.append(bytes.data(), static_cast<std::size_t>(got));
      // However slowly the bytes drip, they have one time for all.
      if (is_idle) end = Clock::now() + options_.reading;
    }
  }

  bool Send(std::string_view bytes) {
    const auto end = Clock::now() + options_.writing;
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent >= 0) {
        bytes.remove_prefix(static_cast<std::size_t>(sent));
        continue;
      }
      const bool is_full = errno == EAGAIN || errno == EWOULDBLOCK;
      if (errno == EINTR) continue;
      if (!is_full || WaitFor(socket_, POLLOUT, end, {}) != Waited::kReady) return false;
    }
    return true;
  }

  const int socket_;
  const HttpServerOptions& options_;
  HttpRequest request_;
  std::string buffer_;
  bool is_stream_ = false;
  std::stop_source ending_;
  std::stop_source gone_;
  Mutex mutex_;
  bool is_busy_ SIBYL_GUARDED_BY(mutex_) = false;
};

// The connections there are. Shared with their threads, since one that does not
// end is left behind. All others are joined: what a thread holds, a library's own
// memory of it too, is given back before the program ends.
class Connections {
 public:
  explicit Connections(HttpServerOptions options) : options_(std::move(options)) {}

  static void Take(const std::shared_ptr<Connections>& all, int socket,
                   const HttpHandler& handler) {
    const auto connection = std::make_shared<Connection>(socket, all->options_);
    all->JoinEnded();
    if (!all->Add(all, connection, handler)) connection->Refuse(503, "too many connections");
  }

  void LookAfter() SIBYL_EXCLUDES(mutex_) {
    JoinEnded();
    const MutexLock lock(mutex_);
    for (const Served& served : open_) {
      if (served.connection) served.connection->LookAfter();
    }
  }

  // True when all came to their end.
  bool End() SIBYL_EXCLUDES(mutex_) {
    {
      const MutexLock lock(mutex_);
      for (const Served& served : open_) {
        if (served.connection) served.connection->End();
      }
      Wait(options_.farewell);
      for (const Served& served : open_) {
        if (served.connection) served.connection->Leave();
      }
      Wait(milliseconds(1'000));
    }
    JoinEnded();
    const MutexLock lock(mutex_);
    for (Served& served : open_) served.thread.detach();
    return open_.empty();
  }

 private:
  struct Served {
    std::shared_ptr<Connection> connection;  // its thread has it too; null: it has ended
    std::thread thread;
    bool has_ended = false;
  };

  bool Add(const std::shared_ptr<Connections>& all, const std::shared_ptr<Connection>& connection,
           const HttpHandler& handler) SIBYL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (open_.size() >= options_.most_connections) return false;
    open_.push_back({.connection = connection, .thread = std::thread([all, connection, &handler] {
                                                 connection->Serve(handler);
                                                 all->TellEnd(connection.get());
                                               })});
    return true;
  }

  void TellEnd(const Connection* connection) SIBYL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    for (Served& served : open_) {
      if (served.connection.get() != connection) continue;
      served.has_ended = true;
      served.connection.reset();  // closed by its thread, at once
    }
    became_fewer_.NotifyAll();
  }

  void JoinEnded() SIBYL_EXCLUDES(mutex_) {
    std::vector<std::thread> ended;
    {
      const MutexLock lock(mutex_);
      for (Served& served : open_) {
        if (served.has_ended) ended.push_back(std::move(served.thread));
      }
      std::erase_if(open_, [](const Served& served) { return served.has_ended; });
    }
    for (std::thread& thread : ended) thread.join();
  }

  void Wait(milliseconds patience) SIBYL_REQUIRES(mutex_) {
    const auto is_open = [](const Served& served) { return !served.has_ended; };
    const auto end = Clock::now() + patience;
    while (std::any_of(open_.begin(), open_.end(), is_open) && Clock::now() < end) {
      became_fewer_.WaitFor(mutex_, kGlance);
    }
  }

  const HttpServerOptions options_;
  Mutex mutex_;
  Condition became_fewer_;
  std::vector<Served> open_ SIBYL_GUARDED_BY(mutex_);
};

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
                 .message = fmt::format("{}: that is no address", doing),
                 .hint = "127.0.0.1, ::1, or another address of this machine"};
  }
  const int listener = ::socket(address->bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return OsError(doing, errno);
  HttpServer server(options, listener, 0);  // closes it, whatever happens
  const int yes = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  constexpr int kWaiting = 128;
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

HttpServer::Ending HttpServer::Serve(const HttpHandler& handler, const std::stop_token& stop) {
  const auto connections = std::make_shared<Connections>(options_);
  while (!stop.stop_requested()) {
    pollfd waiting{.fd = listener_, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(kGlance.count()));
    connections->LookAfter();
    if (ready <= 0) continue;
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) {
      // Out of descriptors: those that are open will end.
      if (errno == EMFILE || errno == ENFILE) std::this_thread::sleep_for(kGlance);
      continue;
    }
    const int yes = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
    Connections::Take(connections, socket, handler);
  }
  ::close(std::exchange(listener_, -1));
  return connections->End() ? Ending::kEnded : Ending::kLeftOver;
}

}  // namespace sibyl::interface
