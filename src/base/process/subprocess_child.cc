// SPDX-License-Identifier: Apache-2.0
#include "base/process/subprocess_child.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>

#include "base/os_error.h"

namespace sibyl {
namespace {

[[noreturn]] void Fail(const ChildPlan& plan, ChildStep step) {
  const ChildFailure failure = {.step = step, .code = errno};
  // Less than PIPE_BUF bytes: written whole or not at all.
  [[maybe_unused]] const ssize_t wrote = ::write(plan.failure, &failure, sizeof failure);
  ::_exit(127);
}

// A limit that is already lower stays: only root may raise it.
bool Lower(__rlimit_resource resource, rlim_t limit) {
  struct rlimit now {};
  if (::getrlimit(resource, &now) != 0) return false;
  now.rlim_max = std::min(now.rlim_max, limit);
  now.rlim_cur = std::min(now.rlim_cur, now.rlim_max);
  return ::setrlimit(resource, &now) == 0;
}

bool SetLimits(const SubprocessLimits& limits) {
  bool done = Lower(RLIMIT_CORE, 0);
  if (limits.memory_bytes) done = Lower(RLIMIT_AS, *limits.memory_bytes) && done;
  if (limits.file_bytes) done = Lower(RLIMIT_FSIZE, *limits.file_bytes) && done;
  if (limits.processes) done = Lower(RLIMIT_NPROC, *limits.processes) && done;
  // Stops a process that left the group and would spin on when we have gone. A
  // second more than the wall clock allows one thread; a program may have many.
  constexpr std::int64_t kThreads = 256;
  constexpr std::int64_t kYear = 366LL * 24 * 3600;
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(limits.time).count();
  const auto cpu = static_cast<rlim_t>(std::clamp<std::int64_t>(seconds, 0, kYear) * kThreads + 1);
  return Lower(RLIMIT_CPU, cpu) && done;
}

// Handlers are gone after exec, but what is ignored or blocked is inherited.
void ResetSignals() {
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &usual, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  // Not pthread_sigmask: this process has one thread, and only a call that is
  // safe in a signal handler will do.
  ::sigprocmask(SIG_SETMASK, &none, nullptr);  // NOLINT(concurrency-mt-unsafe)
}

// Moves a descriptor out of the way of 0, 1 and 2, which a parent without
// stdin may have given to a pipe.
int Above2(int descriptor) {
  return descriptor > STDERR_FILENO ? descriptor : ::fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
}

bool SetStreams(const ChildPlan& plan) {
  const std::array<int, 3> streams = {Above2(plan.input), Above2(plan.output), Above2(plan.errors)};
  for (int i = 0; i < 3; ++i) {
    const int stream = streams[static_cast<std::size_t>(i)];
    if (stream < 0 || ::dup2(stream, i) < 0) return false;
  }
  // Ours are close-on-exec; this is for those of libraries. Kernels before 5.11
  // do not support it.
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  return true;
}

[[noreturn]] void BecomeTheProgram(ChildPlan plan) {
  ::setpgid(0, 0);
  ResetSignals();
  // If we are killed, the program must end too. The parent may already be dead:
  // then the parent pid differs.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != plan.parent) ::_exit(127);
  plan.failure = Above2(plan.failure);
  if (plan.failure < 0) ::_exit(127);
  if (!SetStreams(plan)) Fail(plan, ChildStep::kSetUp);
  if (plan.folder != nullptr && ::chdir(plan.folder) != 0) Fail(plan, ChildStep::kFolder);
  if (!SetLimits(plan.limits)) Fail(plan, ChildStep::kSetUp);
  ::execve(plan.program, plan.arguments, plan.environment);
  Fail(plan, ChildStep::kExec);
}

}  // namespace

Result<pid_t> StartChild(const ChildPlan& plan) {
  const pid_t pid = ::fork();
  if (pid < 0) return OsError("starting a process", errno);
  if (pid == 0) BecomeTheProgram(plan);
  // Both parent and child do it, so that the group exists in either order.
  ::setpgid(pid, pid);
  return pid;
}

std::optional<ChildFailure> ReadChildFailure(int descriptor) {
  ChildFailure failure;
  ssize_t got = 0;
  do {
    got = ::read(descriptor, &failure, sizeof failure);
  } while (got < 0 && errno == EINTR);
  if (got != sizeof failure) return std::nullopt;
  return failure;
}

}  // namespace sibyl
