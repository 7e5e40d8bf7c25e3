// SPDX-License-Identifier: Apache-2.0
// Waits for the notifications of a PostgreSQL ledger on a connection of its own.
#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "runner/postgres/postgres_ledger.h"

namespace sibyl::runner {
namespace {

class PostgresWatch : public ChangeWatch {
 public:
  PostgresWatch(std::string address, std::string application, std::function<void()> changed)
      : address_(std::move(address)),
        application_(std::move(application)),
        changed_(std::move(changed)),
        wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        thread_([this](const std::stop_token& stop) { Run(stop); }) {}
  PostgresWatch(const PostgresWatch&) = delete;
  PostgresWatch& operator=(const PostgresWatch&) = delete;
  ~PostgresWatch() override {
    thread_.request_stop();
    {
      const MutexLock lock(mutex_);
      stopped_.NotifyAll();
    }
    const std::uint64_t one = 1;
    // Fails only if the counter is full: then the thread is woken anyway.
    const ssize_t written = ::write(wake_, &one, sizeof one);
    static_cast<void>(written);
    thread_.join();
    ::close(wake_);
  }

 private:
  // What happened while there was no connection is not notified again, so every
  // new connection counts as a change.
  void Run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      Result<Connection> connection = Connection::Open(address_, application_);
      const bool listens = connection.ok() && connection->Run("LISTEN sibyl").ok();
      if (listens) {
        changed_();
        Listen(*connection, stop);
      }
      Pause(stop);
    }
  }

  void Listen(Connection& connection, const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const Result<bool> any = connection.WaitForNotification(wake_);
      if (!any.ok()) return;
      if (*any) changed_();
    }
  }

  void Pause(const std::stop_token& stop) {
    constexpr std::chrono::milliseconds kBetweenTries{500};
    const MutexLock lock(mutex_);
    if (!stop.stop_requested()) stopped_.WaitFor(mutex_, kBetweenTries);
  }

  std::string address_;
  std::string application_;
  std::function<void()> changed_;
  int wake_;
  Mutex mutex_;
  Condition stopped_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace

std::unique_ptr<ChangeWatch> PostgresLedger::Watch(std::function<void()> changed) {
  return std::make_unique<PostgresWatch>(options_.address, ApplicationName(options_),
                                         std::move(changed));
}

}  // namespace sibyl::runner
