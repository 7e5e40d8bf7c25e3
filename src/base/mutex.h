// SPDX-License-Identifier: Apache-2.0
// A mutex whose discipline clang checks (-Wthread-safety): a member marked
// SIBYL_GUARDED_BY(mutex_) cannot be touched without the lock.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define SIBYL_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define SIBYL_THREAD_ANNOTATION(x)
#endif

#define SIBYL_GUARDED_BY(mutex) SIBYL_THREAD_ANNOTATION(guarded_by(mutex))
#define SIBYL_REQUIRES(...) SIBYL_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define SIBYL_EXCLUDES(...) SIBYL_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))

namespace sibyl {

class SIBYL_THREAD_ANNOTATION(capability("mutex")) Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() SIBYL_THREAD_ANNOTATION(acquire_capability()) { mutex_.lock(); }
  void Unlock() SIBYL_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }

 private:
  friend class Condition;
  std::mutex mutex_;
};

/// Holds a mutex until the end of the block.
class SIBYL_THREAD_ANNOTATION(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) SIBYL_THREAD_ANNOTATION(acquire_capability(mutex))
      : mutex_(mutex) {
    mutex_.Lock();
  }
  ~MutexLock() SIBYL_THREAD_ANNOTATION(release_capability()) { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

/// A condition variable. There is no form with a predicate: clang's analysis
/// does not see that a lambda is called with the lock held, so callers write
/// the loop.
class Condition {
 public:
  void Wait(Mutex& mutex) SIBYL_REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();  // the caller's MutexLock goes on holding it
  }

  enum class Woken { kNotified, kTimeout };
  Woken WaitFor(Mutex& mutex, std::chrono::milliseconds limit) SIBYL_REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    const std::cv_status status = condition_.wait_for(lock, limit);
    lock.release();
    return status == std::cv_status::timeout ? Woken::kTimeout : Woken::kNotified;
  }

  void NotifyOne() { condition_.notify_one(); }
  void NotifyAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace sibyl
