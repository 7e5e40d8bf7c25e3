// SPDX-License-Identifier: Apache-2.0
// For tests: runs of small jobs, and processes that end when they are told to.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/files/own_folder.h"
#include "runner/journal.h"
#include "runner/runner.h"

namespace sibyl::runner {

inline const FixedClock kTestClock{Time(std::chrono::seconds(1'800'000'000))};

/// `.sibyl` of a folder, for a user whose key is in `state` beside it.
inline OwnFolder TestOwn(const std::filesystem::path& folder) {
  const Result<UserState> state = UserState::Open(folder / "state");
  EXPECT_TRUE(state.ok()) << state.error().message;
  Result<OwnFolder> own = OwnFolder::Open(folder, *state);
  EXPECT_TRUE(own.ok()) << own.error().message;
  return std::move(own).value();
}

inline std::filesystem::path JournalIn(const std::filesystem::path& folder) {
  return folder / kOwnFolder / kJournalFile;
}

inline Journal OpenJournal(const std::filesystem::path& folder, const Clock& clock = kTestClock) {
  Result<Journal> journal = Journal::Open(TestOwn(folder), clock);
  EXPECT_TRUE(journal.ok()) << journal.error().message;
  return std::move(journal).value();
}

inline Job Quick(std::string name) {
  return {.name = name, .fingerprint = "f", .work = [name](JobContext&) -> Result<std::string> {
            return "made " + name;
          }};
}

inline Error Broken(std::string why) {
  return Error{.kind = ErrorKind::kUnavailable, .message = std::move(why)};
}

/// Waits for the stop, as a job should.
inline Result<std::string> UntilStopped(JobContext& context) {
  while (!context.stop().stop_requested()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return Error{.kind = ErrorKind::kCancelled, .message = "asked to stop"};
}

/// Runs `body` in a process of its own; what it returns is its exit code.
class Child {
 public:
  explicit Child(const std::function<int()>& body) : pid_(::fork()) {
    if (pid_ == 0) ::_exit(body());
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ > 0) {
      Kill();
      Wait();
    }
  }

  void Kill() const { ::kill(pid_, SIGKILL); }
  /// The exit code, or minus the signal.
  int Wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

/// Waits until `holds` returns true, at most ten seconds.
inline bool Eventually(const std::function<bool()>& holds) {
  for (int i = 0; i < 2'000; ++i) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

}  // namespace sibyl::runner
