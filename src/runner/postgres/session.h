// SPDX-License-Identifier: Apache-2.0
// Sessions with a PostgreSQL server that survive the loss of their connection,
// and the pool that a process shares.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "runner/postgres/connection.h"

namespace sibyl::runner {

/// Whether an operation is tried for the first time. If not, the first try may
/// have been committed: its session has ended, so the ledger says which.
enum class Try : std::uint8_t { kFirst, kAgain };

/// One thread at a time.
class Session {
 public:
  /// `application` is its name in the server.
  Session(std::string address, std::string application, std::chrono::milliseconds patience)
      : address_(std::move(address)), application_(std::move(application)), patience_(patience) {}

  /// Calls `operation` with a connection. After a loss of the connection it
  /// connects again, makes sure that the lost session has ended, and calls it
  /// again, for as long as the patience lasts. `operation` is one statement or
  /// one transaction, and reads the ledger before it repeats anything.
  template <typename Operation>
  auto Do(Operation operation) -> decltype(operation(std::declval<Connection&>(), Try::kFirst)) {
    Try which = Try::kFirst;
    Patience patience(patience_);
    while (true) {
      SIBYL_TRY(Connect(patience));
      auto result = operation(*connection_, which);
      const bool is_lost = connection_->is_lost();
      if (is_lost) Drop();
      if (result.ok() || !(is_lost || connection_->is_conflict()) || !patience.Pause()) {
        return result;
      }
      which = Try::kAgain;
    }
  }

  /// Connects if necessary.
  Status Connect() {
    Patience patience(patience_);
    return Connect(patience);
  }
  std::string shown() const { return shown_; }
  bool is_connected() const { return connection_.has_value(); }
  /// How often a connection was lost.
  int losses() const { return losses_; }

 private:
  // Doubling pauses, up to a limit in total.
  class Patience {
   public:
    explicit Patience(std::chrono::milliseconds most);
    /// False when it is over.
    bool Pause();

   private:
    std::chrono::steady_clock::time_point until_;
    std::chrono::milliseconds next_;
  };
  Status Connect(Patience& patience);
  Status EndLost(Connection& connection);
  void Drop();

  std::string address_;
  std::string application_;
  std::chrono::milliseconds patience_;
  std::string shown_;
  std::optional<Connection> connection_;
  std::optional<BackendId> lost_;
  int losses_ = 0;
};

/// The sessions of this process with one database. Thread-safe.
class SessionPool {
 public:
  /// One for each address and name of the sessions. Not inherited by a fork.
  static SessionPool& For(const std::string& address, const std::string& application,
                          std::chrono::milliseconds patience);

  std::unique_ptr<Session> Take() SIBYL_EXCLUDES(mutex_);
  void Return(std::unique_ptr<Session> session) SIBYL_EXCLUDES(mutex_);

 private:
  SessionPool(std::string address, std::string application, std::chrono::milliseconds patience)
      : address_(std::move(address)), application_(std::move(application)), patience_(patience) {}

  std::string address_;
  std::string application_;
  std::chrono::milliseconds patience_;
  Mutex mutex_;
  std::vector<std::unique_ptr<Session>> idle_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::runner
