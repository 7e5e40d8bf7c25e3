// SPDX-License-Identifier: Apache-2.0
#include "runner/workers.h"

#include <exception>
#include <utility>

#include "base/telemetry/activity.h"

namespace sibyl::runner {
namespace {

class Context : public JobContext {
 public:
  Context(Mailbox& mailbox, const Lease& lease, std::stop_token stop, std::string_view kept_view)
      : mailbox_(mailbox), lease_(lease), stop_(std::move(stop)), kept_view_(kept_view) {}

  int attempt() const override { return lease_.attempt; }
  std::stop_token stop() const override { return stop_; }
  void Report(Progress progress) override {
    mailbox_.Post({.lease = lease_, .progress = std::move(progress), .result = {}});
  }
  void Keep(std::string payload) override {
    mailbox_.Post({.lease = lease_, .progress = {}, .result = {}, .kept = std::move(payload)});
  }
  std::string_view kept_before() const override { return kept_view_; }

 private:
  Mailbox& mailbox_;
  Lease lease_;
  std::stop_token stop_;
  std::string_view kept_view_;
};

// A job belongs to another room, and a library of that room may throw: one
// job's failure must not end the others.
Result<std::string> Guarded(const Work& work, JobContext& context) {
  try {
    return work(context);
  } catch (const std::exception& thrown) {
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = std::string("stopped by an exception: ") + thrown.what()};
  } catch (...) {
    return Error{.kind = ErrorKind::kCorrupt, .message = "stopped by an unknown exception"};
  }
}

}  // namespace

void Mailbox::Post(Message message) {
  const MutexLock lock(mutex_);
  messages_.push_back(std::move(message));
  arrived_.NotifyOne();
}

void Mailbox::Wake() {
  const MutexLock lock(mutex_);
  is_woken_ = true;
  arrived_.NotifyOne();
}

std::vector<Message> Mailbox::Take(std::chrono::milliseconds patience) {
  const MutexLock lock(mutex_);
  if (messages_.empty() && !is_woken_) arrived_.WaitFor(mutex_, patience);
  is_woken_ = false;
  return std::exchange(messages_, {});
}

std::jthread StartWork(Mailbox& mailbox, const Lease& lease, Work work, std::string kept) {
  return std::jthread([&mailbox, lease, work = std::move(work), kept = std::move(kept),
                       activity = CurrentActivity()](const std::stop_token& stop) {
    const ActivityScope scope(activity);
    Context context(mailbox, lease, stop, kept);
    Result<std::string> result = Guarded(work, context);
    mailbox.Post({.lease = lease, .progress = {}, .result = std::move(result)});
  });
}

}  // namespace sibyl::runner
