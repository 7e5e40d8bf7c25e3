// SPDX-License-Identifier: Apache-2.0
#include "inspect/image/digest_stream.h"

#include <deque>
#include <thread>
#include <utility>

#include "base/hash.h"
#include "base/mutex.h"

namespace sibyl::inspect {
namespace {

constexpr std::size_t kBatch = std::size_t{1} << 20;  // handed over at once
constexpr std::size_t kMostWaiting = 8;               // batches

}  // namespace

class DigestStream::Worker {
 public:
  Worker() : thread_([this] { Run(); }) {}
  ~Worker() { (void)Finish(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void Give(std::string batch) {
    const MutexLock lock(mutex_);
    while (waiting_.size() >= kMostWaiting) taken_.Wait(mutex_);
    waiting_.push_back(std::move(batch));
    given_.NotifyOne();
  }

  std::string Finish() {
    if (thread_.joinable()) {
      {
        const MutexLock lock(mutex_);
        is_over_ = true;
        given_.NotifyOne();
      }
      thread_.join();
    }
    return std::move(digest_);
  }

 private:
  void Run() {
    Sha256Stream hash;
    for (;;) {
      std::string batch;
      {
        const MutexLock lock(mutex_);
        while (waiting_.empty() && !is_over_) given_.Wait(mutex_);
        if (waiting_.empty()) break;
        batch = std::move(waiting_.front());
        waiting_.pop_front();
        taken_.NotifyOne();
      }
      hash.Add(batch);
    }
    digest_ = hash.Finish();  // read after the thread has ended
  }

  Mutex mutex_;
  Condition given_;
  Condition taken_;
  std::deque<std::string> waiting_ SIBYL_GUARDED_BY(mutex_);
  bool is_over_ SIBYL_GUARDED_BY(mutex_) = false;
  std::string digest_;
  std::jthread thread_;  // last: it uses all of the above
};

DigestStream::DigestStream() = default;
DigestStream::~DigestStream() = default;

void DigestStream::Add(std::string_view piece) {
  pending_ += piece;
  if (pending_.size() < kBatch) return;
  if (worker_ == nullptr) worker_ = std::make_unique<Worker>();
  worker_->Give(std::exchange(pending_, std::string()));
}

std::string DigestStream::Finish() {
  if (worker_ == nullptr) return Sha256(pending_);
  worker_->Give(std::exchange(pending_, std::string()));
  return worker_->Finish();
}

}  // namespace sibyl::inspect
