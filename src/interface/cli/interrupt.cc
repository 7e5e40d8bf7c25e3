// SPDX-License-Identifier: Apache-2.0
#include "interface/cli/interrupt.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <string_view>
#include <thread>

#include "interface/cli/answer.h"

namespace sibyl::interface {
namespace {

// The write end of a pipe to the thread that requests the stop: a signal
// handler may write to a pipe, but not lock a stop source. Negative if unused.
std::atomic<int> catcher{-1};
std::atomic<bool> was_caught{false};

extern "C" void OnInterrupt(int signal) {
  const int before = errno;
  const int pipe = catcher.exchange(-1);
  // Slurm and systemd signal every process of a job, whose script passes the signal on: a
  // second SIGTERM is not a person who cannot wait.
  if (pipe < 0 && signal == SIGTERM && was_caught) return;
  if (pipe >= 0) {
    was_caught = true;
    constexpr char kByte = 1;
    [[maybe_unused]] const ssize_t ignored = ::write(pipe, &kByte, 1);
    errno = before;
    return;
  }
  constexpr std::string_view kSaid = "\nsibyl: interrupted\n";
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, kSaid.data(), kSaid.size());
  ::_exit(ExitCode(ErrorKind::kCancelled));
}

}  // namespace

void SetUpInterrupts() {
  struct sigaction interrupt {};
  interrupt.sa_handler = OnInterrupt;
  interrupt.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &interrupt, nullptr);
  ::sigaction(SIGTERM, &interrupt, nullptr);
}

std::stop_token CatchInterrupt() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};  // then it ends at once, as before
  std::stop_source source;
  std::stop_token token = source.get_token();
  // Detached: it waits for a signal that may never come.
  std::thread([source, read_end = ends[0]]() mutable {
    char byte = 0;
    while (::read(read_end, &byte, 1) < 0 && errno == EINTR) {
    }
    source.request_stop();
  }).detach();
  catcher = ends[1];
  return token;
}

}  // namespace sibyl::interface
