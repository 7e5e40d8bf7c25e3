// SPDX-License-Identifier: Apache-2.0
#include "base/mutex.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace sibyl {
namespace {

class Counter {
 public:
  void Add() SIBYL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    ++count_;
    changed_.NotifyAll();
  }

  void WaitUntil(int count) SIBYL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    while (count_ < count) changed_.Wait(mutex_);
  }

  Condition::Woken WaitInVain() SIBYL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return changed_.WaitFor(mutex_, std::chrono::milliseconds(1));
  }

 private:
  Mutex mutex_;
  Condition changed_;
  int count_ SIBYL_GUARDED_BY(mutex_) = 0;
};

TEST(Mutex, LetsOneThreadInAtATime) {
  Counter counter;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&counter] {
      for (int n = 0; n < 1000; ++n) counter.Add();
    });
  }
  counter.WaitUntil(4000);
}

TEST(Condition, SaysWhenNobodyCame) {
  Counter counter;
  EXPECT_EQ(counter.WaitInVain(), Condition::Woken::kTimeout);
}

}  // namespace
}  // namespace sibyl
