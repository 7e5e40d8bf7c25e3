// SPDX-License-Identifier: Apache-2.0
#include "base/process/sandbox.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/files/file_descriptor.h"
#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/strings.h"
#include "base/test_canary.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

// The tests ask for the real thing, and are skipped where it cannot work.
class InSandbox : public testing::Test {
 protected:
  void SetUp() override {
    const Result<Sandbox> sandbox = Sandbox::Open();
    if (!sandbox.ok()) GTEST_SKIP() << sandbox.error().message << "; " << sandbox.error().hint;
  }

  static Outcome Run(const SandboxedCommand& command) {
    const Result<Sandbox> sandbox = Sandbox::Open();
    const Result<Outcome> outcome = sandbox->Run(command);
    EXPECT_TRUE(outcome.ok()) << outcome.error().message;
    return outcome.ok() ? *outcome : Outcome{};
  }

  static SandboxedCommand Shell(std::string script) {
    return {.program = "/bin/sh", .arguments = {"-c", std::move(script)}};
  }

  static SandboxedCommand Python(std::string script) {
    return {.program = "/usr/bin/python3", .arguments = {"-I", "-S", "-c", std::move(script)}};
  }

  // The numbers of the processes of this machine that sleep for so long.
  static std::vector<std::string> Sleepers(const std::string& seconds) {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const Result<std::string> line = ReadFile(entry.path() / "cmdline");
      if (!line.ok()) continue;  // not a process, or one that has ended
      if (line->starts_with("sleep") && line->find(seconds) != std::string::npos) {
        found.push_back(entry.path().filename().string());
      }
    }
    return found;
  }

  // The kernel ends the processes of a sandbox at once, but not before we look.
  static bool AllGone(const std::string& seconds) {
    for (int i = 0; i < 500 && !Sleepers(seconds).empty(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return Sleepers(seconds).empty();
  }
};

TEST_F(InSandbox, ThereAreNoFilesOfTheCaller) {
  const Canary canary;
  for (const fs::path& path : canary.paths()) {
    const Outcome outcome = Run(
        {.program = "/bin/sh",
         .arguments = {"-c", "cat \"$1\"; ls \"$2\"; echo x >\"$1\"; echo x >\"$1.new\"; rm \"$1\"",
                       "sh", path.string(), path.parent_path().string()}});
    EXPECT_EQ(outcome.output, "") << path;
    EXPECT_EQ((outcome.output + outcome.errors).find(Canary::kMark), std::string::npos) << path;
  }
  EXPECT_TRUE(canary.IsUntouched());
}

TEST_F(InSandbox, ThereIsOnlyTheSystem) {
  const Outcome outcome = Run(Shell(
      "ls /; for p in /etc/passwd /etc/hostname /etc/ssh /root /home /var /proc /sys /run /srv "
      "/mnt "
      "/opt /usr/local /usr/share /usr/src /dev/sda /dev/kmsg; do test -e $p && echo found $p; "
      "done; ls -A /tmp | wc -l; ls /etc"));
  EXPECT_EQ(outcome.output.find("found"), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.output.find("home"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("\n0\nalternatives\n"), std::string::npos) << outcome.output;
}

TEST_F(InSandbox, TheEnvironmentIsEmpty) {
  ::setenv("SIBYL_TEST_TOKEN", "hunter2", 1);  // NOLINT(concurrency-mt-unsafe): one thread
  const Outcome outcome = Run(Shell("env | sort; cat /proc/1/environ /proc/self/environ"));
  ::unsetenv("SIBYL_TEST_TOKEN");  // NOLINT(concurrency-mt-unsafe)
  EXPECT_EQ(outcome.output,
            "HOME=/tmp\nLC_ALL=C\nPATH=/bin:/usr/bin:/bin\nPWD=/tmp\nTMPDIR=/tmp\n");
}

TEST_F(InSandbox, ThereIsNoNetwork) {
  const FileDescriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(listener.number(), reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener.number(), 1), 0);
  ::getsockname(listener.number(), reinterpret_cast<sockaddr*>(&address), &size);
  const std::string port = std::to_string(ntohs(address.sin_port));
  const std::string knock = "exec 3<>/dev/tcp/127.0.0.1/" + port;
  // Outside it works, so that the test tests something.
  ASSERT_TRUE(RunProgram({.program = "bash", .arguments = {"-c", knock}})->succeeded());
  ASSERT_GE(FileDescriptor(::accept(listener.number(), nullptr, nullptr)).number(), 0);
  EXPECT_FALSE(Run({.program = "/bin/bash", .arguments = {"-c", knock}}).succeeded());
  EXPECT_LT(::accept(listener.number(), nullptr, nullptr), 0);
}

TEST_F(InSandbox, TheProgramIsNobodyAndCannotBecomeMore) {
  EXPECT_EQ(Run(Shell("id -u; id -g")).output, "65534\n65534\n");
  if (!FindSystemProgram("python3")) GTEST_SKIP() << "no python3";
  // PR_GET_NO_NEW_PRIVS, and PR_CAPBSET_READ of every capability.
  EXPECT_EQ(Run(Python("import ctypes; p = ctypes.CDLL(None).prctl\n"
                       "print(p(39, 0, 0, 0, 0), sum(p(23, c, 0, 0, 0) == 1 for c in range(41)))"))
                .output,
            "1 0\n");
  EXPECT_FALSE(Run(Shell("unshare --user true")).succeeded());
  EXPECT_FALSE(Run(Shell("mount -t tmpfs none /tmp")).succeeded());
}

TEST_F(InSandbox, ProcessesOutsideCannotBeKilled) {
  const std::jthread victim([](const std::stop_token& stop) {
    static_cast<void>(RunProgram({.program = "sleep", .arguments = {"64.067"}}, stop));
  });
  for (int i = 0; i < 500 && Sleepers("64.067").empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const std::vector<std::string> pids = Sleepers("64.067");
  ASSERT_EQ(pids.size(), 1U);
  EXPECT_FALSE(Run(Shell("kill -9 " + pids[0])).succeeded());
  EXPECT_FALSE(Run(Shell("kill -9 -- -" + pids[0])).succeeded());
  EXPECT_EQ(Sleepers("64.067"), pids);
}

TEST_F(InSandbox, NothingIsLeftInTheBackground) {
  const Outcome outcome = Run(Shell("setsid sleep 61.734 & sleep 61.734 & echo started"));
  EXPECT_EQ(outcome.output, "started\n");
  EXPECT_TRUE(AllGone("61.734"));
}

TEST_F(InSandbox, ASleeperIsEndedWhenItsTimeIsOver) {
  SandboxedCommand command = Shell("sleep 62.845");
  command.time = std::chrono::milliseconds(500);
  EXPECT_EQ(Run(command).limit, Limit::kTime);
  EXPECT_TRUE(AllGone("62.845"));
}

TEST_F(InSandbox, ForksAreCounted) {
  if (!FindSystemProgram("python3")) GTEST_SKIP() << "no python3";
  if (::geteuid() == 0 && !FindSystemProgram("setpriv")) {
    GTEST_SKIP() << "the kernel does not count the processes of root";
  }
  const Outcome outcome =
      Run(Python("import os, time\n"
                 "n = 0\n"
                 "try:\n"
                 "  while n < 30000:\n"
                 "    if os.fork() == 0: time.sleep(600)\n"
                 "    n += 1\n"
                 "except BlockingIOError: print('refused', flush=True)\n"
                 "os._exit(0)\n"));
  EXPECT_EQ(outcome.output, "refused\n") << outcome.errors.substr(0, 200);
  SandboxedCommand bomb = Shell("f() { f | f & }; f; sleep 63.956");
  bomb.time = std::chrono::milliseconds(700);
  Run(bomb);
  EXPECT_TRUE(AllGone("63.956"));
  EXPECT_EQ(Run(Shell("echo still here")).output, "still here\n");
}

TEST_F(InSandbox, FilesHaveASizeTogether) {
  SandboxedCommand large = Shell("dd if=/dev/zero of=/tmp/a bs=1M count=10240");
  large.file_bytes = std::size_t{8} << 20;
  EXPECT_FALSE(Run(large).succeeded());
  SandboxedCommand many = Shell(
      "for i in 1 2 3 4 5 6 7 8 9 10; do dd if=/dev/zero of=/tmp/$i bs=1M count=1 2>/dev/null || "
      "exit 7; done");
  many.file_bytes = std::size_t{4} << 20;
  EXPECT_EQ(Run(many).exit_code, 7);
  for (const char* place : {"/x", "/dev/x", "/dev/shm/x", "/usr/x", "/usr/bin/x", "/etc/x"}) {
    EXPECT_FALSE(Run(Shell(std::string("echo x >") + place)).succeeded()) << place;
  }
}

TEST_F(InSandbox, OutputAndMemoryHaveLimits) {
  EXPECT_EQ(Run(Shell("yes")).limit, Limit::kOutput);
  if (!FindSystemProgram("python3")) GTEST_SKIP() << "no python3";
  SandboxedCommand greedy = Python("x = bytearray(1 << 30)");
  greedy.memory_bytes = std::size_t{256} << 20;
  EXPECT_NE(Run(greedy).errors.find("MemoryError"), std::string::npos);
}

TEST_F(InSandbox, ASignalIsReportedAsOne) {
  const Outcome outcome = Run(Shell("kill -SEGV $$"));
  EXPECT_EQ(outcome.signal, SIGSEGV);
  EXPECT_FALSE(outcome.exit_code);
}

TEST_F(InSandbox, TheInputIsStdinOrAFile) {
  EXPECT_EQ(Run({.program = "/bin/cat", .input = "text"}).output, "text");
  const Outcome outcome = Run({.program = "/bin/sh",
                               .arguments = {"-c", "ls; cat block.cc; cat"},
                               .input = "text\n",
                               .input_name = "block.cc"});
  EXPECT_EQ(outcome.output, "block.cc\ntext\n");
}

// There is no folder outside in which a file could be swapped for a link: the
// input is copied to a place that nobody else sees.
TEST_F(InSandbox, ALinkInItsFolderLeadsNowhere) {
  const Canary canary;
  for (const fs::path& path : canary.paths()) {
    const Outcome outcome =
        Run({.program = "/bin/sh",
             .arguments = {"-c", "ln -sf " + path.string() +
                                     " block.cc; cat block.cc; echo x "
                                     ">block.cc; ln -sf ../../../../.. up; cat up" +
                                     path.string()},
             .input = "text\n",
             .input_name = "block.cc"});
    EXPECT_EQ(outcome.output, "") << outcome.output;
  }
  EXPECT_TRUE(canary.IsUntouched());
}

TEST_F(InSandbox, RunsDoNotSeeEachOther) {
  EXPECT_TRUE(Run(Shell("echo x >/tmp/left; mkdir /tmp/.hidden")).succeeded());
  EXPECT_EQ(Run(Shell("ls -A /tmp")).output, "");
}

TEST_F(InSandbox, OnlySystemFoldersCanBeAdded) {
  const Canary canary;
  const Result<Sandbox> sandbox = Sandbox::Open();
  for (const fs::path& folder : {canary.folder(), fs::path("/"), fs::path("/etc"), fs::path("/usr"),
                                 fs::path("/usr/../etc")}) {
    const Result<Outcome> outcome = sandbox->Run({.program = "/bin/true", .readable = {folder}});
    ASSERT_FALSE(outcome.ok()) << folder;
    EXPECT_EQ(outcome.error().kind, ErrorKind::kUsage);
  }
  EXPECT_TRUE(sandbox->Run({.program = "/bin/true", .readable = {"/usr/no-such"}})->succeeded());
}

TEST_F(InSandbox, AProgramThatIsNotThereIsNamed) {
  const Canary canary;
  const Result<Sandbox> sandbox = Sandbox::Open();
  EXPECT_EQ(sandbox->Run({.program = "/usr/bin/no-such-tool"}).error().kind, ErrorKind::kNotFound);
  const fs::path script = canary.folder() / "tool";
  std::ofstream(script) << "#!/bin/sh\necho ran\n";
  fs::permissions(script, fs::perms::owner_all);
  EXPECT_EQ(sandbox->Run({.program = script.string()}).error().kind, ErrorKind::kUnavailable)
      << "it exists outside only";
}

TEST(SandboxProbe, SaysThatBubblewrapIsMissing) {
  const Result<Sandbox> sandbox = Sandbox::Open({.bubblewrap = "/no/such/bwrap"});
  ASSERT_FALSE(sandbox.ok());
  EXPECT_EQ(sandbox.error().kind, ErrorKind::kUnavailable);
  EXPECT_EQ(sandbox.error().message, "the sandbox, bubblewrap (/no/such/bwrap), is not installed");
  EXPECT_EQ(sandbox.error().hint, "install it: apt install bubblewrap");
  EXPECT_FALSE(Sandbox::Open({.bubblewrap = "sibyl-no-such-bwrap"}).ok());
}

TEST(SandboxProbe, BelievesOnlyWhatIsolates) {
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::owner_all | fs::perms::others_exec);
  const auto pretend = [&](const std::string& name, const std::string& script) {
    const fs::path path = folder.path() / name;
    std::ofstream(path) << "#!/bin/sh\n" << script;
    fs::permissions(path, fs::perms::owner_all | fs::perms::others_exec | fs::perms::others_read);
    return Sandbox::Open({.bubblewrap = path.string()});
  };
  const Result<Sandbox> forbidden =
      pretend("forbidden", "echo 'bwrap: No permissions to create a new namespace' >&2; exit 1\n");
  ASSERT_FALSE(forbidden.ok());
  EXPECT_NE(forbidden.error().message.find("does not work here"), std::string::npos);
  EXPECT_NE(forbidden.error().message.find("No permissions to create"), std::string::npos);
  EXPECT_FALSE(pretend("idle", "exit 0\n").ok()) << "it ran nothing";
  EXPECT_FALSE(pretend("open", "while [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"\n").ok())
      << "it runs the program without a sandbox";
}

}  // namespace
}  // namespace sibyl
