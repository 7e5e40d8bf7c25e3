// SPDX-License-Identifier: Apache-2.0
#include "runner/interrupt.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <vector>

namespace sibyl::runner {
namespace {

std::vector<ProcessId> HoldersOf(const RunSnapshot& run) {
  const ProcessId own = ThisProcess();
  std::vector<ProcessId> holders;
  for (const JobSnapshot& job : run.jobs) {
    const bool is_one = job.state == JobState::kRunning && job.holder && !IsHeldByAgent(job) &&
                        *job.holder != own && LifeOf(*job.holder) == Life::kAlive;
    if (is_one && std::find(holders.begin(), holders.end(), *job.holder) == holders.end()) {
      holders.push_back(*job.holder);
    }
  }
  return holders;
}

// The number of a process that has ended can be given to another one: what is
// opened before it is looked at once more stays the same process.
bool Interrupt(const ProcessId& process) {
  const auto opened =
      static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(process.number), 0U));
  if (opened < 0) return false;
  const bool is_sent = LifeOf(process) == Life::kAlive &&
                       ::syscall(SYS_pidfd_send_signal, opened, SIGINT, nullptr, 0U) == 0;
  ::close(opened);
  return is_sent;
}

}  // namespace

bool IsHeldByAgent(const JobSnapshot& job) {
  return std::any_of(job.progress.figures.begin(), job.progress.figures.end(),
                     [](const Figure& figure) { return figure.name == "renewed"; });
}

bool CanInterrupt(const RunSnapshot& run) { return !HoldersOf(run).empty(); }

int InterruptRun(const RunSnapshot& run) {
  const std::vector<ProcessId> holders = HoldersOf(run);
  return static_cast<int>(std::count_if(holders.begin(), holders.end(), Interrupt));
}

}  // namespace sibyl::runner
