// SPDX-License-Identifier: Apache-2.0
#include "interface/web/http_workers.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <list>
#include <system_error>
#include <thread>
#include <utility>

#include "base/mutex.h"

namespace sibyl::interface {
namespace {

constexpr std::size_t kMostIdle = 16;  // threads that wait for work; more end

}  // namespace

struct HttpWorkers::Shared {
  explicit Shared(HttpService& answering)
      : service(answering), event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() { ::close(event); }

  HttpService& service;
  const int event;
  Mutex mutex;
  Condition changed;
  std::deque<Job> jobs SIBYL_GUARDED_BY(mutex);
  std::vector<Job> done SIBYL_GUARDED_BY(mutex);
  std::vector<std::thread::id> ended SIBYL_GUARDED_BY(mutex);
  std::size_t idle SIBYL_GUARDED_BY(mutex) = 0;
  std::size_t alive SIBYL_GUARDED_BY(mutex) = 0;
  bool is_ending SIBYL_GUARDED_BY(mutex) = false;
  std::list<std::thread> threads;  // of the server's thread
};

HttpWorkers::HttpWorkers(HttpService& service) : shared_(std::make_shared<Shared>(service)) {}

HttpWorkers::~HttpWorkers() { static_cast<void>(Finish(std::chrono::milliseconds(0))); }

int HttpWorkers::done_event() const { return shared_->event; }

void HttpWorkers::Work(const std::shared_ptr<Shared>& shared) {
  Job job;
  while (true) {
    {
      const MutexLock lock(shared->mutex);
      if (job) {
        shared->done.push_back(std::move(job));
        job.reset();
        const std::uint64_t one = 1;
        const ssize_t ignored = ::write(shared->event, &one, sizeof(one));
        static_cast<void>(ignored);
      }
      ++shared->idle;
      while (shared->jobs.empty() && !shared->is_ending && shared->idle <= kMostIdle) {
        shared->changed.Wait(shared->mutex);
      }
      --shared->idle;
      if (shared->jobs.empty()) {
        --shared->alive;
        shared->ended.push_back(std::this_thread::get_id());
        shared->changed.NotifyAll();
        return;
      }
      job = std::move(shared->jobs.front());
      shared->jobs.pop_front();
    }
    job->answer = shared->service.Answer(*job);
  }
}

void HttpWorkers::Start(Job job) {
  JoinEnded();
  bool needs_thread = false;
  {
    const MutexLock lock(shared_->mutex);
    shared_->jobs.push_back(std::move(job));
    needs_thread = shared_->idle < shared_->jobs.size();
    if (needs_thread) ++shared_->alive;
    shared_->changed.NotifyOne();
  }
  if (!needs_thread) return;
  try {
    shared_->threads.emplace_back([shared = shared_] { Work(shared); });
  } catch (const std::system_error&) {  // no more threads: the job waits for one that is busy
    const MutexLock lock(shared_->mutex);
    --shared_->alive;
  }
}

std::vector<HttpWorkers::Job> HttpWorkers::TakeDone() {
  std::uint64_t count = 0;
  const ssize_t ignored = ::read(shared_->event, &count, sizeof(count));
  static_cast<void>(ignored);
  const MutexLock lock(shared_->mutex);
  return std::exchange(shared_->done, {});
}

// Joined, not detached, so that thread-local resources of libraries are
// released before exit.
void HttpWorkers::JoinEnded() {
  std::vector<std::thread::id> ended;
  {
    const MutexLock lock(shared_->mutex);
    ended = std::exchange(shared_->ended, {});
  }
  for (std::thread& thread : shared_->threads) {
    if (std::find(ended.begin(), ended.end(), thread.get_id()) != ended.end()) thread.join();
  }
  shared_->threads.remove_if([](const std::thread& thread) { return !thread.joinable(); });
}

HttpWorkers::Ending HttpWorkers::Finish(std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  {
    const MutexLock lock(shared_->mutex);
    shared_->is_ending = true;
    shared_->changed.NotifyAll();
    constexpr std::chrono::milliseconds kTick{50};
    while (shared_->alive > 0 && std::chrono::steady_clock::now() < end) {
      shared_->changed.WaitFor(shared_->mutex, kTick);
    }
  }
  JoinEnded();
  const bool all = shared_->threads.empty();
  for (std::thread& thread : shared_->threads) thread.detach();
  shared_->threads.clear();
  return all ? Ending::kJoined : Ending::kLeftRunning;
}

}  // namespace sibyl::interface
