// SPDX-License-Identifier: Apache-2.0
// Runs numbered work on several threads. Each thread takes the next number when
// it is done with one, so uneven work spreads by itself.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <stop_token>

#include "base/mutex.h"

namespace sibyl {

/// How many threads this machine runs at once; at least one.
unsigned MachineThreads();

/// Calls work(worker) on `threads` threads at once, the calling one included,
/// with worker from zero; returns when all are done. Where the system has no
/// more threads, it is called fewer times. An exception of `work` ends the
/// program: the others may be waiting for what it did not do.
void RunOnThreads(std::size_t threads, const std::function<void(std::size_t worker)>& work);

/// Carries an exception from one of several threads to the one that waits.
class FirstException {
 public:
  /// The one that is being handled, if it is the first.
  void Keep() SIBYL_EXCLUDES(mutex_);
  /// After the threads ended; does nothing when there was none.
  void ThrowAgain() SIBYL_EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  std::exception_ptr thrown_ SIBYL_GUARDED_BY(mutex_);
};

struct ParallelOptions {
  std::size_t threads = 0;    ///< At most; zero for MachineThreads().
  std::size_t grain = 1;      ///< Neighbours that one thread takes at a time.
  std::stop_token stop = {};  ///< When requested, nothing more is started.
};

/// Calls make_worker(worker) once per thread, for what a thread keeps to itself,
/// and what that returned with every number below `count`. Returns when all are
/// done, or what was begun when a stop was requested. After an exception
/// nothing more is started; it is thrown again here, in the calling thread.
template <typename MakeWorker>
void ForEachWithWorkers(std::size_t count, const ParallelOptions& options,
                        const MakeWorker& make_worker) {
  const std::size_t grain = std::max<std::size_t>(options.grain, 1);
  const std::size_t pieces = count / grain + (count % grain == 0 ? 0 : 1);
  const std::size_t threads = options.threads == 0 ? MachineThreads() : options.threads;
  std::atomic<std::size_t> next{0};
  FirstException thrown;
  RunOnThreads(std::min(threads, pieces), [&](std::size_t worker) {
    try {
      auto function = make_worker(worker);
      for (std::size_t first = next.fetch_add(grain); first < count;
           first = next.fetch_add(grain)) {
        const std::size_t end = std::min(count, first + grain);
        for (std::size_t i = first; i < end; ++i) {
          if (options.stop.stop_requested()) return;
          function(i);
        }
      }
    } catch (...) {
      next = count;
      thrown.Keep();
    }
  });
  thrown.ThrowAgain();
}

/// Calls function(i) for every i below `count`, as ForEachWithWorkers does.
template <typename Function>
void ForEachInParallel(std::size_t count, const ParallelOptions& options,
                       const Function& function) {
  ForEachWithWorkers(count, options,
                     [&](std::size_t) { return [&](std::size_t i) { function(i); }; });
}

}  // namespace sibyl
