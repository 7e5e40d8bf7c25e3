// SPDX-License-Identifier: Apache-2.0
// A guarded member cannot be accessed without its lock.
// expect: requires holding mutex 'mutex_'
#include "base/mutex.h"

class Counter {
 public:
  void Add() { ++count_; }

 private:
  sibyl::Mutex mutex_;
  int count_ SIBYL_GUARDED_BY(mutex_) = 0;
};

void Count(Counter& counter) { counter.Add(); }
