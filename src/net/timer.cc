// SPDX-License-Identifier: Apache-2.0
#include "net/timer.h"

#include <condition_variable>
#include <mutex>

namespace sibyl::net {
namespace {

namespace chrono = std::chrono;

class MachineTimer : public Timer {
 public:
  chrono::milliseconds Elapsed() const override {
    return chrono::duration_cast<chrono::milliseconds>(
        chrono::steady_clock::now().time_since_epoch());
  }

  Status Sleep(chrono::milliseconds pause, const std::stop_token& stop) override {
    std::mutex mutex;
    std::condition_variable_any woken;
    std::unique_lock<std::mutex> lock(mutex);
    woken.wait_for(lock, stop, pause, [] { return false; });
    if (stop.stop_requested()) {
      return Error{.kind = ErrorKind::kCancelled, .message = "waiting: cancelled"};
    }
    return {};
  }
};

}  // namespace

Timer& SystemTimer() {
  static MachineTimer timer;
  return timer;
}

}  // namespace sibyl::net
