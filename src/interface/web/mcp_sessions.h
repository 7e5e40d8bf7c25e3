// SPDX-License-Identifier: Apache-2.0
// The sessions of MCP clients that begin with a handshake, counted per client:
// nobody can push out a session that somebody else works with.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/mutex.h"

namespace sibyl::interface {

struct SessionOwner {
  std::string client;  ///< Its address.
  bool has_token = false;

  bool operator==(const SessionOwner&) const = default;
};

struct SessionLimits {
  std::size_t anonymous = 100;   ///< Of one client, without the token.
  std::size_t with_token = 500;  ///< Of one client, with it.
  std::size_t all = 1'000;
  std::chrono::minutes anonymous_idle{30};
  std::chrono::minutes with_token_idle{24 * 60};
};

/// Thread-safe.
class McpSessions {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit McpSessions(const SessionLimits& limits = {}) : limits_(limits) {}

  enum class Begun : std::uint8_t { kYes, kClientHasTooMany, kTooMany };
  /// Makes room by ending sessions that were idle for too long, and then the
  /// oldest of the same owner that was begun but never used. A session that is
  /// in use is never ended for another.
  Begun Begin(const std::string& id, const SessionOwner& owner, Time now) SIBYL_EXCLUDES(mutex_);

  /// False when there is no such session for this caller: one that was begun
  /// with the token is used with the token.
  bool Use(std::string_view id, bool has_token, Time now) SIBYL_EXCLUDES(mutex_);
  bool End(std::string_view id, bool has_token) SIBYL_EXCLUDES(mutex_);

  /// Requests under way, so that they can be cancelled; `request` is their id.
  void Start(std::string_view id, const std::string& request, const std::stop_source& stop)
      SIBYL_EXCLUDES(mutex_);
  void Finish(std::string_view id, const std::string& request) SIBYL_EXCLUDES(mutex_);
  void Cancel(std::string_view id, bool has_token, const std::string& request)
      SIBYL_EXCLUDES(mutex_);

  std::size_t size() const SIBYL_EXCLUDES(mutex_);

 private:
  struct Session {
    SessionOwner owner;
    Time last_use;
    bool was_used = false;  ///< Since it was begun.
    std::map<std::string, std::stop_source> under_way;
  };
  using Sessions = std::map<std::string, Session, std::less<>>;

  Sessions::iterator Find(std::string_view id, bool has_token) SIBYL_REQUIRES(mutex_);
  void EndIdle(Time now) SIBYL_REQUIRES(mutex_);
  bool EndUnused(const SessionOwner& owner) SIBYL_REQUIRES(mutex_);

  const SessionLimits limits_;
  mutable Mutex mutex_;
  Sessions sessions_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::interface
