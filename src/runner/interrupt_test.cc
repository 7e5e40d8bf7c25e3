// SPDX-License-Identifier: Apache-2.0
#include "runner/interrupt.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

namespace sibyl::runner {
namespace {

RunSnapshot RunHeldBy(const ProcessId& holder) {
  JobSnapshot job{.name = "a.md", .state = JobState::kRunning};
  job.holder = holder;
  return {.id = 1, .name = "plan.md", .jobs = {job}};
}

// A process that says who it is and waits for a signal.
class WaitingProcess {
 public:
  WaitingProcess() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    number_ = ::fork();
    if (number_ == 0) {
      ::signal(SIGINT, SIG_DFL);
      const std::string text = FormatProcessId(ThisProcess()) + "\n";
      if (::write(ends[1], text.data(), text.size()) > 0) ::pause();
      ::_exit(0);
    }
    ::close(ends[1]);
    std::string text;
    for (char c = 0; ::read(ends[0], &c, 1) == 1 && c != '\n';) text += c;
    ::close(ends[0]);
    id_ = ParseProcessId(text).value_or(ProcessId());
  }
  WaitingProcess(const WaitingProcess&) = delete;
  WaitingProcess& operator=(const WaitingProcess&) = delete;
  ~WaitingProcess() {
    if (is_reaped_) return;
    ::kill(number_, SIGKILL);
    Wait();
  }
  int Wait() {
    int status = 0;
    ::waitpid(number_, &status, 0);
    is_reaped_ = true;
    return status;
  }
  const ProcessId& id() const { return id_; }

 private:
  pid_t number_ = 0;
  ProcessId id_;
  bool is_reaped_ = false;
};

TEST(Interrupt, StopsTheHolderOfARun) {
  WaitingProcess child;
  const RunSnapshot run = RunHeldBy(child.id());
  ASSERT_TRUE(CanInterrupt(run));
  EXPECT_EQ(InterruptRun(run), 1);
  const int status = child.Wait();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
  EXPECT_EQ(InterruptRun(run), 0) << "it is gone";
}

TEST(Interrupt, LeavesOthersAlone) {
  EXPECT_FALSE(CanInterrupt(RunHeldBy(ThisProcess())));
  WaitingProcess child;
  ProcessId other = child.id();
  other.started += 5;
  EXPECT_FALSE(CanInterrupt(RunHeldBy(other))) << "another process of that number";
  other = child.id();
  other.space = "elsewhere";
  EXPECT_FALSE(CanInterrupt(RunHeldBy(other)));
  RunSnapshot run = RunHeldBy(child.id());
  run.jobs[0].progress.figures.push_back({.name = "renewed", .value = 1});
  EXPECT_FALSE(CanInterrupt(run)) << "an agent's";
  run = RunHeldBy(child.id());
  run.jobs[0].state = JobState::kDone;
  EXPECT_EQ(InterruptRun(run), 0);
}

}  // namespace
}  // namespace sibyl::runner
