// SPDX-License-Identifier: Apache-2.0
#include "interface/web/http_loop.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>
#include <vector>

namespace sibyl::interface {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTick{100};          // how often time limits are checked
constexpr milliseconds kLastChance{1'000};  // at shutdown, for requests that were asked to stop
constexpr int kAcceptsInTurn = 64;
constexpr std::size_t kMostGivenUp = 64;  // threads that hang; more are not replaced

// Best effort, and nothing is waited for: refusing must cost less than asking.
void RefuseAtOnce(int socket) {
  static const std::string text =
      FormatHttpResponse(TextResponse(503, "too many connections; try again in a few seconds"),
                         {.keeps_alive = false});
  std::array<char, 4096> rest;  // NOLINT: only discarded
  ::send(socket, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  ::shutdown(socket, SHUT_WR);
  ::recv(socket, rest.data(), rest.size(), MSG_DONTWAIT);
  ::close(socket);
}

}  // namespace

HttpLoop::HttpLoop(const HttpServerOptions& options, int listener, HttpService& service)
    : options_(options),
      listener_(listener),
      service_(service),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      clients_(options.clients),
      workers_(service),
      now_(Clock::now()),
      next_look_(now_) {
  Watch(listener_, EPOLLIN, EPOLL_CTL_ADD);
  Watch(workers_.done_event(), EPOLLIN, EPOLL_CTL_ADD);
}

HttpLoop::~HttpLoop() { ::close(epoll_); }

void HttpLoop::Watch(int descriptor, std::uint32_t events, int operation) const {
  epoll_event event{.events = events, .data = {.fd = descriptor}};
  ::epoll_ctl(epoll_, operation, descriptor, &event);
}

void HttpLoop::Watch(HttpConnection& connection, std::uint32_t events) const {
  if (connection.events == events) return;
  const int operation = connection.events == 0 ? EPOLL_CTL_ADD
                        : events == 0          ? EPOLL_CTL_DEL
                                               : EPOLL_CTL_MOD;
  Watch(connection.socket(), events, operation);
  connection.events = events;
}

bool HttpLoop::Run(const std::stop_token& stop) {
  while (!stop.stop_requested()) Turn();
  is_ending_ = true;
  Watch(listener_, 0, EPOLL_CTL_DEL);
  const std::vector<std::pair<int, Handle>> all(connections_.begin(), connections_.end());
  for (const auto& [socket, connection] : all) {
    const bool is_idle =
        connection->state == State::kReading || connection->state == State::kLingering;
    if (is_idle) Close(connection);
  }
  WaitForRequests(options_.farewell);
  for (const auto& [socket, connection] : connections_) connection->MakeOverdue();
  WaitForRequests(kLastChance);
  const std::vector<std::pair<int, Handle>> left(connections_.begin(), connections_.end());
  for (const auto& [socket, connection] : left) Close(connection);
  return workers_.Finish(kTick) == HttpWorkers::Ending::kJoined;
}

void HttpLoop::WaitForRequests(milliseconds patience) {
  const auto is_in_progress = [](const auto& entry) {
    return entry.second->state != State::kLingering;
  };
  const Clock::time_point end = Clock::now() + patience;
  while (std::any_of(connections_.begin(), connections_.end(), is_in_progress) &&
         Clock::now() < end) {
    Turn();
  }
}

void HttpLoop::Turn() {
  std::array<epoll_event, 128> events{};
  const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()),
                                 static_cast<int>(kTick.count()));
  now_ = Clock::now();
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events.at(static_cast<std::size_t>(i));
    if (event.data.fd == listener_) {
      Accept();
    } else if (event.data.fd == workers_.done_event()) {
      Collect();
    } else if (const auto found = connections_.find(event.data.fd); found != connections_.end()) {
      OnEvent(Handle(found->second), event.events);
    }
  }
  if (now_ >= next_look_) LookAround();
}

void HttpLoop::LookAround() {
  next_look_ = now_ + kTick;
  const std::vector<std::pair<int, Handle>> all(connections_.begin(), connections_.end());
  for (const auto& [socket, connection] : all) CheckTime(connection);
  StartWaiting();
  if (is_accepting_ || is_ending_) return;
  is_accepting_ = true;
  Watch(listener_, EPOLLIN, EPOLL_CTL_MOD);
}

void HttpLoop::Enter(HttpConnection& connection, State state, milliseconds limit) const {
  connection.state = state;
  connection.since = now_;
  connection.deadline = now_ + limit;
}

void HttpLoop::Accept() {
  for (int i = 0; i < kAcceptsInTurn; ++i) {
    sockaddr_storage address{};
    socklen_t length = sizeof(address);
    const int socket = ::accept4(listener_, reinterpret_cast<sockaddr*>(&address), &length,
                                 SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket >= 0) {
      sockaddr_storage own{};
      socklen_t own_length = sizeof(own);
      ::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &own_length);
      Welcome(socket, ClientOf(address, own));
      continue;
    }
    if (errno == EINTR || errno == ECONNABORTED) continue;
    const bool has_no_descriptor = errno == EMFILE || errno == ENFILE;
    if (!has_no_descriptor) return;
    if (const Handle idle = LongestIdle(nullptr)) {
      Close(idle);
      continue;
    }
    is_accepting_ = false;  // until the next timer
    Watch(listener_, 0, EPOLL_CTL_MOD);
    return;
  }
}

void HttpLoop::Welcome(int socket, const std::string& client) {
  if (!MakeRoom(client)) return RefuseAtOnce(socket);
  const int yes = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  const auto connection =
      std::make_shared<HttpConnection>(socket, client, options_.limits, options_.writing);
  clients_.Connect(client);
  connections_.emplace(socket, connection);
  Enter(*connection, State::kReading, options_.idle);
  Watch(*connection, EPOLLIN);
  Receive(connection);  // most clients have sent their request already
}

// Closes an idle connection for a new one, the longest idle first, so that
// silent or slow clients lock nobody out: one of the client itself, if it has
// its maximum; otherwise one of the client with the most connections.
bool HttpLoop::MakeRoom(const std::string& client) {
  if (!clients_.HasMostConnections(client) && !clients_.IsFull()) return true;
  const Handle idle = LongestIdle(clients_.HasMostConnections(client) ? &client : nullptr);
  if (!idle) return false;
  Close(idle);
  return true;
}

HttpLoop::Handle HttpLoop::LongestIdle(const std::string* client) const {
  Handle found;
  std::size_t most = 0;
  for (const auto& [socket, connection] : connections_) {
    const bool is_idle = connection->state == State::kLingering ||
                         (connection->state == State::kReading && !connection->is_admitted);
    if (!is_idle || (client != nullptr && connection->client() != *client)) continue;
    const std::size_t held = clients_.ConnectionsOf(connection->client());
    const bool is_better =
        !found || held > most || (held == most && connection->since < found->since);
    if (!is_better) continue;
    found = connection;
    most = held;
  }
  return found;
}

void HttpLoop::Close(const Handle& connection) {
  if (connections_.erase(connection->socket()) == 0) return;
  Watch(*connection, 0);
  connection->Leave();
  Dismiss(*connection);
  clients_.Buffer(connection->client(), connection->buffered_as, connection->buffered, 0);
  connection->buffered = 0;
  clients_.Disconnect(connection->client());
  std::erase(waiting_, connection);
}

void HttpLoop::Dismiss(HttpConnection& connection) {
  if (std::exchange(connection.is_admitted, false)) {
    clients_.Dismiss(connection.client(), connection.caller);
  }
}

void HttpLoop::CheckTime(const Handle& connection) {
  if (connection->state == State::kRunning) return CheckRunning(connection);
  if (connection->state == State::kWaiting && connection->HasLeft()) return Close(connection);
  if (now_ < connection->deadline) return;
  switch (connection->state) {
    case State::kReading:
      if (!connection->reader.has_begun()) return Close(connection);
      return Refuse(connection, 408, "the request took too long to arrive");
    case State::kWaiting:
      std::erase(waiting_, connection);
      return Refuse(connection, 503, "all workers are busy; try again");
    case State::kWriting:
    case State::kLingering:
      return Close(connection);
    case State::kRunning:
      return;
  }
}

// A request that takes too long is asked to stop. If it does not, it is
// abandoned: its thread is replaced, its client gets an error, and its share of
// the limits is freed.
void HttpLoop::CheckRunning(const Handle& connection) {
  if (connection->HasLeft()) connection->Leave();
  if (now_ < connection->deadline) return;
  connection->MakeOverdue();
  if (now_ < connection->deadline + options_.grace || given_up_ >= kMostGivenUp) return;
  const bool can_respond = connection->GiveUp();
  connection->is_given_up = true;
  ++given_up_;
  clients_.Stop(connection->client(), connection->caller);
  if (can_respond) {
    const std::string text =
        FormatHttpResponse(TextResponse(503, "the operation timed out"), {.keeps_alive = false});
    ::send(connection->socket(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  }
  ::shutdown(connection->socket(), SHUT_RDWR);
  Close(connection);
}

}  // namespace sibyl::interface
