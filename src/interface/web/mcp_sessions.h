// SPDX-License-Identifier: Apache-2.0
// The sessions of MCP clients that start with a handshake, counted per client:
// a client cannot evict another's session that is in use.
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
  /// Makes room by ending sessions that were idle for too long, then the oldest
  /// unused session of the same owner. A session in use is never ended for
  /// another.
  Begun Begin(const std::string& id, const SessionOwner& owner, Time now) SIBYL_EXCLUDES(mutex_);

  /// False if the caller has no such session: a session started with the token
  /// requires the token.
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
    bool was_used = false;  ///< Since it was started.
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
