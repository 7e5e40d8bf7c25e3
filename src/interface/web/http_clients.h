// SPDX-License-Identifier: Apache-2.0
// Current usage and limits of each client, so that no client can lock out
// others.
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

/// One thread at a time. A client is one address, or one network of IPv6; all
/// programs of this machine are one client. Requests with the token are counted
/// separately from those without, and a share of every resource is reserved for
/// them.
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
  /// response. All callers without the token leave half of the connections free.
  bool MayAdmit(const std::string& client, Caller caller) const;
  /// Whether the client itself has as many of them as one client may.
  bool HasShare(const std::string& client, Caller caller) const;
  void Admit(const std::string& client, Caller caller);
  void Dismiss(const std::string& client, Caller caller);

  /// Requests that a worker is answering: for one client half of the workers without
  /// the token, three quarters with it; for all without it together three quarters.
  bool MayRun(const std::string& client, Caller caller) const;
  void Run(const std::string& client, Caller caller);
  void Stop(const std::string& client, Caller caller);

  /// Whether the bytes held are within the limits: half of all for callers
  /// without the token together, and the same for each client with it.
  bool HasRoom(const std::string& client, Caller caller) const;
  void Buffer(const std::string& client, Caller caller, std::size_t before, std::size_t now);

 private:
  struct Use {
    std::size_t connections = 0;
    std::array<std::size_t, 2> admitted{};
    std::array<std::size_t, 2> running{};
    std::array<std::size_t, 2> buffered{};
  };
  const Use* Find(const std::string& client) const;
  void ForgetIfUnused(const std::string& client);

  ClientLimits limits_;
  std::map<std::string, Use> uses_;
  std::size_t connections_ = 0;
  std::size_t running_ = 0;
  std::size_t buffered_ = 0;
  Use anonymous_;  // of all callers without the token; connections are not counted here
};

/// "192.0.2.7", or the /64 of an IPv6 address: its owner has all addresses in
/// it. "127.0.0.1" for this machine: requests from any loopback address, and
/// requests sent to one (`own`), which only this machine can do.
std::string ClientOf(const sockaddr_storage& peer, const sockaddr_storage& own);

}  // namespace sibyl::interface
