// SPDX-License-Identifier: Apache-2.0
#include "relay.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <utility>

namespace sibyl::runner {
namespace {

int SocketAt(const std::filesystem::path& path, bool listens) {
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  const auto* raw = reinterpret_cast<const sockaddr*>(&address);
  const bool ok =
      listens ? ::bind(descriptor, raw, sizeof address) == 0 && ::listen(descriptor, 64) == 0
              : ::connect(descriptor, raw, sizeof address) == 0;
  if (ok) return descriptor;
  ::close(descriptor);
  return -1;
}

bool SendAll(int to, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = ::send(to, bytes, size, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

constexpr int kPollMs = 50;

}  // namespace

struct Relay::Pair {
  int client = -1;
  int server = -1;
  bool is_answer_cut = false;
  ~Pair() {
    ::close(client);
    ::close(server);
  }
};

Relay::Relay(std::filesystem::path server) : server_(std::move(server)) {
  listener_ = SocketAt(folder_.path() / ".s.PGSQL.5432", true);
  acceptor_ = std::jthread([this] { Accept(); });
}

Relay::~Relay() {
  is_over_ = true;
  acceptor_.join();
  const MutexLock lock(mutex_);
  threads_.clear();
  ::close(listener_);
}

void Relay::Arm(Cut cut, int at) {
  cuts_answer_ = cut == Cut::kAnswer;
  statements_ = 0;
  has_cut_ = false;
  cut_at_ = at;
}

void Relay::Accept() {
  while (!is_over_) {
    pollfd waiting{listener_, POLLIN, 0};
    if (::poll(&waiting, 1, kPollMs) <= 0) continue;
    const int client = ::accept(listener_, nullptr, nullptr);
    const int server = SocketAt(server_, false);
    if (server < 0) {
      ::close(client);
      continue;
    }
    auto pair = std::make_shared<Pair>();
    pair->client = client;
    pair->server = server;
    const MutexLock lock(mutex_);
    threads_.emplace_back([this, pair] { Forward(pair); });
  }
}

void Relay::Forward(const std::shared_ptr<Pair>& pair) {
  std::array<char, 65'536> bytes{};
  while (!is_over_) {
    std::array<pollfd, 2> waiting = {pollfd{pair->client, POLLIN, 0},
                                     pollfd{pair->server, POLLIN, 0}};
    if (::poll(waiting.data(), waiting.size(), kPollMs) <= 0) continue;
    if (waiting[0].revents != 0 && !ForwardRequest(*pair)) return;
    if (waiting[1].revents == 0) continue;
    const ssize_t size = ::recv(pair->server, bytes.data(), bytes.size(), 0);
    // The statement was executed, and nobody hears of it.
    if (size <= 0 || pair->is_answer_cut) return;
    if (!SendAll(pair->client, bytes.data(), static_cast<std::size_t>(size))) return;
  }
}

// A client sends a whole statement and waits; what it sends at once is one.
bool Relay::ForwardRequest(Pair& pair) {
  std::array<char, 65'536> bytes{};
  const ssize_t size = ::recv(pair.client, bytes.data(), bytes.size(), 0);
  if (size <= 0) return false;
  const int number = ++statements_;
  const bool is_cut = number == cut_at_;
  if (is_cut) has_cut_ = true;
  if (is_cut && cuts_answer_) pair.is_answer_cut = true;
  const auto whole = static_cast<std::size_t>(size);
  if (is_cut && !cuts_answer_) {
    SendAll(pair.server, bytes.data(), whole / 2);
    return false;
  }
  return SendAll(pair.server, bytes.data(), whole);
}

}  // namespace sibyl::runner
