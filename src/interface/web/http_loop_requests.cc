// SPDX-License-Identifier: Apache-2.0
// The part of the loop that takes requests from connections and writes responses.
#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <utility>

#include "interface/web/http_loop.h"

namespace sibyl::interface {
namespace {

constexpr std::chrono::milliseconds kStalled{1'000};  // a response that is not read
constexpr std::chrono::milliseconds kLinger{1'000};
constexpr std::size_t kMostDiscarded = std::size_t{256} << 10;
constexpr std::size_t kReadBytes = std::size_t{16} << 10;
constexpr int kReadsInTurn = 8;  // of one connection, then the others
// A request this small is always read. For all connections together that is
// little.
constexpr std::size_t kShort = std::size_t{16} << 10;

}  // namespace

void HttpLoop::OnEvent(const Handle& connection, std::uint32_t events) {
  switch (connection->state) {
    case State::kReading:
      return Receive(connection);
    case State::kLingering:
      return Discard(connection);
    case State::kWriting:
      if ((events & (EPOLLERR | EPOLLHUP)) != 0) return Close(connection);
      Flush(connection);
      return Advance(connection);
    case State::kWaiting:
    case State::kRunning:
      return;  // not watched
  }
}

void HttpLoop::Receive(const Handle& connection) {
  std::array<char, kReadBytes> bytes;  // NOLINT: filled by recv
  for (int i = 0; i < kReadsInTurn && connection->state == State::kReading; ++i) {
    const ssize_t got = ::recv(connection->socket(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (got <= 0) return Close(connection);
    connection->unread.append(bytes.data(), static_cast<std::size_t>(got));
    Advance(connection);
    if (!connections_.contains(connection->socket())) return;
  }
}

// Handles all buffered bytes, which may be several requests.
void HttpLoop::Advance(const Handle& connection) {
  while (connection->state == State::kReading && !connection->unread.empty() &&
         connections_.contains(connection->socket())) {
    AdvanceOnce(connection);
  }
}

void HttpLoop::AdvanceOnce(const Handle& connection) {
  HttpReader& reader = connection->reader;
  const bool is_new = !reader.has_begun();
  const std::size_t taken = reader.Feed(connection->unread);
  connection->unread.erase(0, taken);
  if (is_new && reader.state() == HttpReader::State::kHead) {
    // One time limit for the whole request, however slowly it arrives.
    Enter(*connection, State::kReading, options_.head);
  }
  if (reader.state() == HttpReader::State::kHeadRead) Judge(connection);
  if (connection->state != State::kReading) return;
  if (reader.state() == HttpReader::State::kRefused) {
    return Refuse(connection, reader.refusal().status, reader.refusal().reason);
  }
  if (reader.state() == HttpReader::State::kComplete) return Begin(connection);
  Account(*connection);
  if (connection->buffered <= kShort || MakeRoomForBytes(connection)) return;
  Refuse(connection, 503, "requests in progress exceed the server's memory limit; try again");
}

void HttpLoop::Judge(const Handle& connection) {
  HttpReader& reader = connection->reader;
  const HeadJudgement judgement = service_.Judge(reader.request());
  connection->caller = judgement.has_token ? Caller::kWithToken : Caller::kAnonymous;
  if (judgement.refusal) {
    // An unread body cannot be distinguished from the next request.
    connection->closes_after_output = reader.has_body();
    connection->current = reader.request();
    if (!reader.has_body()) {
      reader.AcceptBody(0);
      connection->current = reader.Take();
    }
    return Respond(connection, *judgement.refusal);
  }
  if (!judgement.is_quick && !Admit(connection)) {
    return Refuse(connection, 503, "too many requests in progress; try again");
  }
  connection->is_quick = judgement.is_quick;
  reader.AcceptBody(judgement.most_body_bytes);
  if (reader.state() != HttpReader::State::kBody) return;
  Enter(*connection, State::kReading, options_.body);
  if (!reader.expects_continue() || !connection->unread.empty()) return;
  constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  ::send(connection->socket(), kContinue.data(), kContinue.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Whether it only waits for the network.
bool HttpLoop::IsStuck(const HttpConnection& connection) const {
  return connection.state == State::kReading ||
         (connection.state == State::kWriting && now_ - connection.since >= kStalled);
}

// If the limit of requests in progress is reached, drops the oldest that only
// waits for the network: of the same client if it has its full share, otherwise
// of any. Requests with the token are never dropped for those without.
bool HttpLoop::Admit(const Handle& connection) {
  const std::string& client = connection->client();
  if (!clients_.MayAdmit(client, connection->caller)) {
    const bool has_share = clients_.HasShare(client, connection->caller);
    Handle oldest;
    for (const auto& [socket, other] : connections_) {
      const bool can_give_way = IsStuck(*other) && other->is_admitted &&
                                other->caller == connection->caller &&
                                (!has_share || other->client() == client);
      if (can_give_way && (!oldest || other->since < oldest->since)) oldest = other;
    }
    if (!oldest) return false;
    Close(oldest);
  }
  clients_.Admit(client, connection->caller);
  connection->is_admitted = true;
  return true;
}

void HttpLoop::Account(HttpConnection& connection) {
  const std::size_t held = connection.reader.buffered_bytes() + connection.unread.size() +
                           connection.current.body.size() +
                           (connection.output.size() - connection.sent);
  clients_.Buffer(connection.client(), connection.buffered_as, connection.buffered, 0);
  connection.buffered = held;
  connection.buffered_as = connection.caller;
  clients_.Buffer(connection.client(), connection.caller, 0, held);
}

// The same for bytes: drops requests that only wait for the network, those
// without the token first, until there is room.
bool HttpLoop::MakeRoomForBytes(const Handle& connection) {
  while (!clients_.HasRoom(connection->client(), connection->caller)) {
    Handle oldest;
    for (const auto& [socket, other] : connections_) {
      const bool is_anonymous = other->caller == Caller::kAnonymous;
      const bool can_give_way = other != connection && IsStuck(*other) &&
                                other->buffered > kShort &&
                                (is_anonymous || connection->caller == Caller::kWithToken);
      if (!can_give_way) continue;
      const bool is_better = !oldest || (is_anonymous && oldest->caller == Caller::kWithToken) ||
                             (other->caller == oldest->caller && other->since < oldest->since);
      if (is_better) oldest = other;
    }
    if (!oldest) return false;
    Close(oldest);
  }
  return true;
}

void HttpLoop::Begin(const Handle& connection) {
  connection->current = connection->reader.Take();
  Account(*connection);
  if (connection->is_quick) return Respond(connection, service_.Answer(*connection));
  Enter(*connection, State::kWaiting, options_.queue);
  Watch(*connection, 0);
  waiting_.push_back(connection);
  StartWaiting();
}

void HttpLoop::StartWaiting() {
  for (auto next = waiting_.begin(); next != waiting_.end();) {
    const Handle connection = *next;
    if (!clients_.MayRun(connection->client(), connection->caller)) {
      ++next;
      continue;
    }
    next = waiting_.erase(next);
    clients_.Run(connection->client(), connection->caller);
    Enter(*connection, State::kRunning,
          connection->caller == Caller::kWithToken ? options_.answering_with_token
                                                   : options_.answering);
    workers_.Start(connection);
  }
}

void HttpLoop::Collect() {
  for (const Handle& connection : workers_.TakeDone()) {
    if (connection->is_given_up) {
      --given_up_;
      continue;
    }
    clients_.Stop(connection->client(), connection->caller);
    if (connection->is_stream()) {
      Close(connection);
      continue;
    }
    Respond(connection, connection->answer);
    connection->answer = {};
    Advance(connection);
  }
  StartWaiting();
}

void HttpLoop::Refuse(const Handle& connection, int status, std::string_view reason) {
  const HttpRequest& head =
      connection->current.method.empty() ? connection->reader.request() : connection->current;
  const HttpResponse response = service_.Refusal(head, status, reason);
  connection->closes_after_output = true;
  connection->current = {};
  Respond(connection, response);
}

void HttpLoop::Respond(const Handle& connection, const HttpResponse& response) {
  ++connection->requests;
  const bool keeps_alive = connection->current.keeps_alive && !connection->closes_after_output &&
                           !is_ending_ && connection->requests < options_.most_requests;
  connection->closes_after_output = !keeps_alive;
  connection->output = FormatHttpResponse(
      response, {.keeps_alive = keeps_alive, .has_body = connection->current.method != "HEAD"});
  connection->sent = 0;
  connection->current = {};
  Account(*connection);
  Enter(*connection, State::kWriting, options_.writing);
  Flush(connection);
}

void HttpLoop::Flush(const Handle& connection) {
  while (connection->sent < connection->output.size()) {
    const std::string_view rest = std::string_view(connection->output).substr(connection->sent);
    const ssize_t sent =
        ::send(connection->socket(), rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      connection->sent += static_cast<std::size_t>(sent);
      connection->since = now_;
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return Close(connection);
    Account(*connection);
    return Watch(*connection, EPOLLOUT);
  }
  EndResponse(connection);
}

void HttpLoop::EndResponse(const Handle& connection) {
  connection->output = {};
  connection->sent = 0;
  Dismiss(*connection);
  Account(*connection);
  if (connection->closes_after_output) return Linger(connection);
  Enter(*connection, State::kReading, options_.idle);
  Watch(*connection, EPOLLIN);
}

// Closing a socket with unread input resets the connection, and the client may
// never see the response.
void HttpLoop::Linger(const Handle& connection) {
  connection->unread = {};
  ::shutdown(connection->socket(), SHUT_WR);
  Enter(*connection, State::kLingering, kLinger);
  Watch(*connection, EPOLLIN);
  Discard(connection);
}

void HttpLoop::Discard(const Handle& connection) {
  std::array<char, kReadBytes> bytes;  // NOLINT: only discarded
  while (connection->discarded < kMostDiscarded) {
    const ssize_t got = ::recv(connection->socket(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (got <= 0) break;
    connection->discarded += static_cast<std::size_t>(got);
  }
  Close(connection);
}

}  // namespace sibyl::interface
