// SPDX-License-Identifier: Apache-2.0
#include "runner/postgres/session.h"

#include <unistd.h>

#include <algorithm>
#include <thread>
#include <tuple>
#include <utility>

#include "base/telemetry/families.h"
#include "base/telemetry/log.h"
#include "base/telemetry/metrics.h"

namespace sibyl::runner {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{20};
constexpr milliseconds kLongestPause{1'000};
// More would only keep connections of a quiet server open.
constexpr std::size_t kMostIdle = 8;

}  // namespace

Session::Patience::Patience(milliseconds most)
    : until_(std::chrono::steady_clock::now() + most), next_(kFirstPause) {}

bool Session::Patience::Pause() {
  if (std::chrono::steady_clock::now() >= until_) return false;
  std::this_thread::sleep_for(next_);
  next_ = std::min(next_ * 2, kLongestPause);
  return true;
}

void Session::Drop() {
  if (!lost_) lost_ = connection_->backend();
  connection_.reset();
  ++losses_;
  Metrics::OfProcess().Add(kLedgerReconnects);
  WriteLog(LogLevel::kWarning, "the connection to the ledger was lost", {{"ledger", shown_}});
}

Status Session::Connect(Patience& patience) {
  while (!connection_) {
    Result<Connection> fresh = Connection::Open(address_, application_);
    Status ready = fresh.ok() ? EndLost(*fresh) : Status(fresh.error());
    if (ready.ok()) {
      shown_ = fresh->shown();
      connection_.emplace(std::move(fresh).value());
      return {};
    }
    const bool may_pass = ready.error().kind == ErrorKind::kUnavailable;
    if (!may_pass || !patience.Pause()) return ready;
  }
  return {};
}

// The server may still be executing a statement of the connection that was lost.
// Nothing is repeated before that session has ended: then it has committed or
// not, and the next statement sees which.
Status Session::EndLost(Connection& connection) {
  if (!lost_) return {};
  constexpr int kMostLooks = 2'000;
  for (int look = 0; look < kMostLooks; ++look) {
    const Rows rows = SIBYL_TRY(connection.Run(
        "SELECT pg_catalog.pg_terminate_backend(pid) FROM pg_catalog.pg_stat_activity WHERE "
        "pid = $1 AND backend_start::text = $2",
        {lost_->process, lost_->started}));
    if (rows.count() == 0) {
      lost_.reset();
      return {};
    }
    std::this_thread::sleep_for(milliseconds(5));
  }
  return Error{.kind = ErrorKind::kUnavailable,
               .message = "the ledger at " + connection.shown() +
                          ": the session of a lost connection does not end"};
}

// Never destroyed: at exit, sessions may still be in use by other threads, and
// after a fork the parent's must not be closed.
SessionPool& SessionPool::For(const std::string& address, const std::string& application,
                              milliseconds patience) {
  struct Pools {
    Mutex mutex;
    std::map<std::tuple<pid_t, std::string, std::string, milliseconds>,
             std::unique_ptr<SessionPool>>
        pools SIBYL_GUARDED_BY(mutex);
  };
  static Pools& all = *new Pools;
  const MutexLock lock(all.mutex);
  std::unique_ptr<SessionPool>& pool = all.pools[{::getpid(), address, application, patience}];
  if (!pool) pool.reset(new SessionPool(address, application, patience));
  return *pool;
}

std::unique_ptr<Session> SessionPool::Take() {
  const MutexLock lock(mutex_);
  if (idle_.empty()) return std::make_unique<Session>(address_, application_, patience_);
  std::unique_ptr<Session> session = std::move(idle_.back());
  idle_.pop_back();
  return session;
}

void SessionPool::Return(std::unique_ptr<Session> session) {
  if (!session || !session->is_connected()) return;
  const MutexLock lock(mutex_);
  if (idle_.size() < kMostIdle) idle_.push_back(std::move(session));
}

}  // namespace sibyl::runner
