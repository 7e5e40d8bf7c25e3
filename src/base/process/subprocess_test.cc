// SPDX-License-Identifier: Apache-2.0
#include "base/process/subprocess.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/strings.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

Command Shell(std::string script) {
  return {.program = "sh", .arguments = {"-c", std::move(script)}};
}

std::size_t CountOpenDescriptors() {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

bool IsAlive(pid_t pid) {
  const Result<std::string> status = ReadFile("/proc/" + std::to_string(pid) + "/stat");
  // A zombie that nobody of ours has to reap is as good as gone.
  return status.ok() && status->find(") Z ") == std::string::npos;
}

bool DiesSoon(pid_t pid) {
  for (int i = 0; i < 200 && IsAlive(pid); ++i) std::this_thread::sleep_for(milliseconds(10));
  return !IsAlive(pid);
}

TEST(RunProgram, GivesOutputErrorsAndExitCode) {
  const Result<Outcome> ran = RunProgram(Shell("echo out; echo err >&2; exit 3"));
  ASSERT_TRUE(ran.ok());
  EXPECT_EQ(ran->output, "out\n");
  EXPECT_EQ(ran->errors, "err\n");
  EXPECT_EQ(ran->exit_code, 3);
  EXPECT_EQ(Describe(*ran), "exit code 3");
  EXPECT_FALSE(ran->succeeded());
}

TEST(RunProgram, PassesArgumentsAsTheyAre) {
  const Result<Outcome> ran =
      RunProgram({.program = "printf", .arguments = {"[%s]", "a b", "", "$HOME", "*;'\""}});
  ASSERT_TRUE(ran.ok());
  EXPECT_EQ(ran->output, "[a b][][$HOME][*;'\"]");
}

TEST(RunProgram, FeedsInputOfAnySize) {
  const std::string input(3'000'000, 'x');
  const Result<Outcome> ran = RunProgram({.program = "cat", .input = input});
  ASSERT_TRUE(ran.ok());
  EXPECT_EQ(ran->output, input);
  EXPECT_TRUE(RunProgram({.program = "true", .input = input})->succeeded());
  EXPECT_EQ(RunProgram({.program = "cat"})->output, "");
}

TEST(RunProgram, ReadsAFileAsItsInput) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "input";
  ASSERT_TRUE(WriteFileAtomically(file, "from a file").ok());
  EXPECT_EQ(RunProgram({.program = "cat", .input = "text", .input_file = file})->output,
            "from a file");
  const Result<Outcome> missing =
      RunProgram({.program = "cat", .input_file = folder.path() / "none"});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().kind, ErrorKind::kNotFound);
}

TEST(RunProgram, RunsInTheFolderWithTheEnvironmentItIsGiven) {
  const TemporaryFolder folder;
  Command command = Shell("pwd; echo $SIBYL_A; env | wc -l");
  command.folder = folder.path();
  command.environment = {{"SIBYL_A", "1"}, {"PATH", "/usr/bin:/bin"}};
  command.inherits_environment = false;
  const Result<Outcome> ran = RunProgram(command);
  ASSERT_TRUE(ran.ok());
  const auto lines = SplitLines(ran->output);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], fs::canonical(folder.path()).string());
  EXPECT_EQ(lines[1], "1");
  EXPECT_LE(std::stoi(std::string(lines[2])), 4);  // sh itself adds PWD and the like
}

TEST(RunProgram, SetsVariablesOverInheritedOnes) {
  Command command = Shell("echo $HOME; echo ${PATH:+set}");
  command.environment = {{"HOME", "/elsewhere"}};
  EXPECT_EQ(RunProgram(command)->output, "/elsewhere\nset\n");
}

TEST(RunProgram, SaysWhatCouldNotBeStarted) {
  const Result<Outcome> unknown = RunProgram({.program = "sibyl-no-such-program"});
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(unknown.error().message, "running sibyl-no-such-program: no such program in PATH");
  EXPECT_EQ(RunProgram({.program = "/no/such"}).error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(RunProgram({.program = "true", .folder = "/no/such"}).error().message,
            "running true in /no/such: no such file or directory");
  EXPECT_EQ(RunProgram({.program = "/etc/passwd"}).error().kind, ErrorKind::kUnavailable);
  EXPECT_EQ(RunProgram({.program = ""}).error().kind, ErrorKind::kNotFound);
}

TEST(RunProgram, RefusesArgumentsThatWouldBeCut) {
  EXPECT_EQ(RunProgram({.program = "echo", .arguments = {std::string("a\0b", 3)}}).error().kind,
            ErrorKind::kUsage);
  EXPECT_FALSE(RunProgram({.program = "true", .environment = {{"A=B", "c"}}}).ok());
}

TEST(RunProgram, EndsItAndItsChildrenWhenTheTimeIsOver) {
  Command command = Shell("sleep 60 & echo $!; wait");
  command.limits.time = milliseconds(200);
  const auto start = steady_clock::now();
  const Result<Outcome> ran = RunProgram(command);
  ASSERT_TRUE(ran.ok());
  EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_EQ(ran->limit, Limit::kTime);
  EXPECT_EQ(ran->signal, SIGKILL);
  EXPECT_FALSE(ran->exit_code.has_value());
  EXPECT_TRUE(DiesSoon(std::stoi(ran->output)));
}

TEST(RunProgram, TakesAsMuchTimeAsThereIs) {
  Command command = {.program = "true"};
  command.limits.time = milliseconds::max();
  EXPECT_TRUE(RunProgram(command)->succeeded());
}

TEST(RunProgram, DoesNotWaitForWhatStaysInTheBackground) {
  const auto start = steady_clock::now();
  const Result<Outcome> ran = RunProgram(Shell("sleep 60 & echo $!"));
  ASSERT_TRUE(ran.ok());
  EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_EQ(ran->exit_code, 0);
  EXPECT_TRUE(DiesSoon(std::stoi(ran->output)));
}

TEST(RunProgram, EndsWhatPrintsTooMuch) {
  Command command = {.program = "yes"};
  command.limits.output_bytes = 1000;
  const Result<Outcome> ran = RunProgram(command);
  ASSERT_TRUE(ran.ok());
  EXPECT_EQ(ran->limit, Limit::kOutput);
  EXPECT_EQ(ran->output.size(), 1000U);
}

TEST(RunProgram, AllowsExactlyTheLimit) {
  Command command = Shell("printf 12345; printf 678 >&2");
  command.limits.output_bytes = 8;
  EXPECT_TRUE(RunProgram(command)->succeeded());
  command.limits.output_bytes = 7;
  EXPECT_EQ(RunProgram(command)->limit, Limit::kOutput);
}

TEST(RunProgram, LimitsMemory) {
  Command command = Shell("x=$(head -c 300000000 /dev/zero | tr '\\0' x); echo ${#x}");
  command.limits.memory_bytes = std::size_t{100} << 20;
  const Result<Outcome> ran = RunProgram(command);
  ASSERT_TRUE(ran.ok());
  EXPECT_FALSE(ran->succeeded());
}

TEST(RunProgram, LimitsTheSizeOfFiles) {
  const TemporaryFolder folder;
  Command command = {.program = "dd",
                     .arguments = {"if=/dev/zero", "of=big", "bs=64k", "count=16"},
                     .folder = folder.path()};
  command.limits.file_bytes = 100'000;
  const Result<Outcome> ran = RunProgram(command);
  ASSERT_TRUE(ran.ok());
  EXPECT_EQ(ran->limit, Limit::kFileSize);
  EXPECT_LE(fs::file_size(folder.path() / "big"), 100'000U);
}

TEST(RunProgram, ReportsTheSignalThatEndedIt) {
  const Result<Outcome> ran = RunProgram(Shell("kill -SEGV $$"));
  ASSERT_TRUE(ran.ok());
  EXPECT_EQ(ran->signal, SIGSEGV);
  EXPECT_EQ(ran->limit, Limit::kNone);
  EXPECT_EQ(Describe(*ran), "signal 11 (Segmentation fault)");
}

TEST(RunProgram, StopsWhenAskedTo) {
  std::stop_source source;
  std::jthread asker([&source] {
    std::this_thread::sleep_for(milliseconds(100));
    source.request_stop();
  });
  const auto start = steady_clock::now();
  const Result<Outcome> ran = RunProgram(Shell("sleep 60"), source.get_token());
  ASSERT_FALSE(ran.ok());
  EXPECT_EQ(ran.error().kind, ErrorKind::kCancelled);
  EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(RunProgram, GivesTheProgramThreeDescriptorsAndTheUsualSignals) {
  // The fourth is that of the folder that ls reads.
  EXPECT_EQ(RunProgram({.program = "ls", .arguments = {"/proc/self/fd"}})->output, "0\n1\n2\n3\n");
  const std::string status =
      RunProgram({.program = "grep", .arguments = {"SigIgn", "/proc/self/status"}})->output;
  // 32 and 33 are glibc's own; a parent may have left them ignored, and nobody
  // but glibc can change that.
  const std::uint64_t ignored = std::stoull(status.substr(status.find(':') + 1), nullptr, 16);
  EXPECT_EQ(ignored & ~std::uint64_t{0x180000000}, 0U) << status;
}

TEST(RunProgram, LeavesNoZombieAndNoDescriptorFromManyThreads) {
  RunProgram({.program = "true"}).ok();
  const std::size_t before = CountOpenDescriptors();
  std::vector<std::jthread> threads;
  std::vector<int> right(4);
  for (std::size_t i = 0; i < right.size(); ++i) {
    threads.emplace_back([i, &right] {
      for (int n = 0; n < 10; ++n) {
        const std::string text = std::to_string(i) + "/" + std::to_string(n);
        const Result<Outcome> ran = RunProgram({.program = "cat", .input = text});
        if (ran.ok() && ran->output == text) ++right[i];
        RunProgram({.program = "/no/such"}).ok();
      }
    });
  }
  threads.clear();
  EXPECT_EQ(right, std::vector<int>(4, 10));
  EXPECT_EQ(CountOpenDescriptors(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(FindProgram, LooksInPathOnly) {
  EXPECT_TRUE(FindProgram("sh").has_value());
  EXPECT_EQ(FindProgram("sibyl-no-such-program"), std::nullopt);
  EXPECT_EQ(FindProgram(""), std::nullopt);
}

TEST(Subprocess, ShowsItsErrorsAsTheyCome) {
  std::string seen;
  const Result<Outcome> outcome =
      RunProgram({.program = "sh",
                  .arguments = {"-c", "echo 1 >&2; echo out; echo 2 >&2"},
                  .on_errors = [&seen](std::string_view piece) { seen += piece; }});
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(seen, "1\n2\n");
  EXPECT_EQ(outcome->errors, "1\n2\n");
  EXPECT_EQ(outcome->output, "out\n");
}

}  // namespace
}  // namespace sibyl
