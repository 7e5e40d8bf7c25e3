// SPDX-License-Identifier: Apache-2.0
// What each client of a server uses at the moment, and what it may: no client
// can use so much that others are kept out.
#pragma once

#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace sibyl::interface {

struct ClientLimits {
  std::size_t connections = 64;  ///< Of all clients together.
  std::size_t workers = 16;      ///< Requests that are answered at the same time.
  std::size_t buffered_bytes = std::size_t{64} << 20;
};

enum class Caller : std::uint8_t { kAnonymous, kWithToken };

/// One thread at a time. "Of a client" is of one address; on loopback all
/// programs share it, so those with the token are counted apart.
class HttpClients {
 public:
  explicit HttpClients(const ClientLimits& limits) : limits_(limits) {}

  std::size_t connections() const { return connections_; }
  std::size_t running() const { return running_; }
  std::size_t buffered_bytes() const { return buffered_; }

  bool IsFull() const { return connections_ >= limits_.connections; }
  /// Whether the client has as many connections as one client may.
  bool HasMostConnections(const std::string& client) const;
  std::size_t ConnectionsOf(const std::string& client) const;
  void Connect(const std::string& client);
  void Disconnect(const std::string& client);

  /// Requests in progress, from an accepted head to the last byte of the
  /// response. Callers without the token leave half of the connections free.
  bool MayAdmit(const std::string& client, Caller caller) const;
  void Admit(const std::string& client, Caller caller);
  void Dismiss(const std::string& client, Caller caller);

  /// Requests that a worker is answering: half of the workers without the token,
  /// three quarters with it.
  bool MayRun(const std::string& client, Caller caller) const;
  void Run(const std::string& client, Caller caller);
  void Stop(const std::string& client, Caller caller);

  /// False when the client, or the server in all, now holds too many bytes.
  bool Buffer(const std::string& client, std::size_t before, std::size_t now);

 private:
  struct Use {
    std::size_t connections = 0;
    std::array<std::size_t, 2> admitted{};
    std::array<std::size_t, 2> running{};
    std::size_t buffered = 0;
  };
  const Use* Find(const std::string& client) const;
  void ForgetIfUnused(const std::string& client);

  ClientLimits limits_;
  std::map<std::string, Use> uses_;
  std::size_t connections_ = 0;
  std::size_t running_ = 0;
  std::size_t buffered_ = 0;
};

/// "127.0.0.1", or the /64 of an IPv6 address: its owner has all addresses in it.
std::string ClientOf(const sockaddr_storage& address);

}  // namespace sibyl::interface
