// SPDX-License-Identifier: Apache-2.0
#include "interface/room/room_keeper.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace sibyl::interface {
namespace {

// More are made when they are asked for.
constexpr std::size_t kMostWaiting = 2'000;

// A reader who waits for a first byte comes before pages that nobody has asked for. Threads that
// this one starts inherit it. Not lower: somebody may be looking at the page that is being made.
void YieldToReaders() {
  constexpr int kNice = 5;
  const auto thread = static_cast<id_t>(::syscall(SYS_gettid));
  static_cast<void>(
      ::setpriority(PRIO_PROCESS, thread, ::getpriority(PRIO_PROCESS, thread) + kNice));
}

}  // namespace

RoomKeeper::~RoomKeeper() {
  stop_.request_stop();
  std::thread thread;
  {
    const MutexLock lock(mutex_);
    thread = std::move(thread_);
    changed_.NotifyAll();
  }
  if (thread.joinable()) thread.join();
}

void RoomKeeper::Add(const std::string& path) {
  const MutexLock lock(mutex_);
  if (stop_.stop_requested() || paths_.size() >= kMostWaiting) return;
  if (!waiting_.insert(path).second) return;
  paths_.push_back(path);
  Start();
}

void RoomKeeper::AddFirst(const std::string& path) {
  const MutexLock lock(mutex_);
  if (stop_.stop_requested()) return;
  if (!waiting_.insert(path).second) {
    const auto queued = std::find(paths_.begin(), paths_.end(), path);
    if (queued == paths_.end()) return;  // it is being made
    paths_.erase(queued);
  }
  paths_.push_front(path);
  Start();
}

void RoomKeeper::Start() {
  changed_.NotifyOne();
  if (thread_.joinable()) return;
  try {
    thread_ = std::thread([this] { Work(); });
  } catch (const std::system_error&) {  // no thread: pages are made when they are asked for
    paths_.clear();
    waiting_.clear();
  }
}

void RoomKeeper::Work() {
  YieldToReaders();
  while (true) {
    std::string path;
    {
      const MutexLock lock(mutex_);
      while (paths_.empty() && !stop_.stop_requested()) changed_.Wait(mutex_);
      if (stop_.stop_requested()) return;
      path = std::move(paths_.front());
      paths_.pop_front();
    }
    make_(path, stop_.get_token());
    const MutexLock lock(mutex_);
    waiting_.erase(path);
  }
}

bool RoomMaking::Begin(const std::string& key) {
  const MutexLock lock(mutex_);
  if (making_.insert(key).second) return true;
  while (making_.contains(key)) changed_.Wait(mutex_);
  return false;
}

void RoomMaking::End(const std::string& key) {
  const MutexLock lock(mutex_);
  making_.erase(key);
  changed_.NotifyAll();
}

}  // namespace sibyl::interface
