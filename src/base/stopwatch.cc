// SPDX-License-Identifier: Apache-2.0
#include "base/stopwatch.h"

#include <condition_variable>
#include <mutex>

namespace sibyl {
namespace {

namespace chrono = std::chrono;

class MachineStopwatch : public Stopwatch {
 public:
  chrono::milliseconds Read() const override {
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

Stopwatch& SystemStopwatch() {
  static MachineStopwatch stopwatch;
  return stopwatch;
}

}  // namespace sibyl
