// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <system_error>
#include <thread>
#include <vector>

namespace sibyl {

unsigned MachineThreads() { return std::max(1U, std::thread::hardware_concurrency()); }

void RunOnThreads(std::size_t threads, const std::function<void(std::size_t worker)>& work) {
  if (threads == 0) return;
  const auto run = [&work](std::size_t worker) noexcept { work(worker); };
  std::vector<std::jthread> others;
  others.reserve(threads - 1);
  for (std::size_t worker = 1; worker < threads; ++worker) {
    try {
      others.emplace_back(run, worker);
    } catch (const std::system_error&) {
      break;  // no more threads: those that run do all of it
    }
  }
  run(0);
}

void FirstException::Keep() {
  const MutexLock lock(mutex_);
  if (!thrown_) thrown_ = std::current_exception();
}

void FirstException::ThrowAgain() {
  const MutexLock lock(mutex_);
  if (thrown_) std::rethrow_exception(thrown_);
}

}  // namespace sibyl
