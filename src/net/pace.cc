// SPDX-License-Identifier: Apache-2.0
#include "net/pace.h"

#include <algorithm>

namespace sibyl::net {
namespace {

using std::chrono::milliseconds;

// A stop request does not wake waiters; they poll at this interval.
constexpr milliseconds kGlance{50};

}  // namespace

class Pace::Turn : public Pass {
 public:
  Turn(Pace& pace, Host& host) : pace_(pace), host_(host) {}
  ~Turn() override { pace_.Leave(host_); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Pace& pace_;
  Host& host_;
};

Result<std::unique_ptr<Pass>> Pace::Enter(const Visit& visit) {
  milliseconds wait{0};
  std::unique_ptr<Pass> turn;
  {
    const MutexLock lock(mutex_);
    Host& host = hosts_[visit.host];
    while (host.active >= std::max(options_.at_once, 1)) {
      if (visit.stop.stop_requested()) {
        return Error{.kind = ErrorKind::kCancelled, .message = "waiting: cancelled"};
      }
      left_.WaitFor(mutex_, kGlance);
    }
    ++host.active;
    turn = std::make_unique<Turn>(*this, host);
    const milliseconds now = stopwatch_.Read();
    const milliseconds start = std::max(now, host.next);
    host.next = start + std::max(options_.interval, visit.interval);
    wait = start - now;
  }
  if (wait > milliseconds(0)) SIBYL_TRY(stopwatch_.Sleep(wait, visit.stop));
  return turn;
}

void Pace::Leave(Host& host) {
  {
    const MutexLock lock(mutex_);
    --host.active;
  }
  left_.NotifyAll();
}

}  // namespace sibyl::net
