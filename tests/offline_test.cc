// SPDX-License-Identifier: Apache-2.0
// Runs every operation that declares no network use, and every other one with
// --offline, with an empty cache in a network namespace without interfaces, under a
// filter that kills it when it opens an internet socket. The oracle's sources are at a server that
// records connections, and the git in PATH records how it is called.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/json.h"
#include "base/process/subprocess.h"
#include "base/strings.h"
#include "net/test_server.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::string_view kPlan = R"(# Knowledge expansion: Gadget

**Topic**: How Gadget is built

## PART 1: How Gadget finds its profiler

- [ ] PART 1: Create gadget/01-profiler.md (~90 lines)

**Step 1: Research**
- [ ] Search: "gadget profiler detection order"

**Step 3: Write**
- [ ] Section 1: Detection (~50 lines)
      - Detection order of the profiler
)";

// Kills the process, or a child, that opens an internet socket, or a netlink socket,
// which name resolution does.
void ForbidSockets() {
  const auto domain = static_cast<unsigned>(offsetof(seccomp_data, args));
  sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offsetof(seccomp_data, nr))),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 5),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, domain),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{.len = static_cast<unsigned short>(std::size(rules)), .filter = rules};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    ::_exit(125);
  }
}

class Offline : public ::testing::Test {
 protected:
  Offline()
      : server_([](const std::string&) { return net::TestPage("200 OK", "", "found"); }),
        oracle_(folder_.path() / "oracle") {
    Write("oracle/sibyl.toml",
          "[web]\nexpand = true\nprovider = \"searxng\"\nurl = \"" + server_.url("/") +
              "\"\nallow = [\"" + server_.host() + "\"]\n\n[model]\nurl = \"" + server_.url("/v1") +
              "\"\nname = \"m\"\n\n[[source]]\nname = \"r\"\ngit = \"" + server_.url("/r.git") +
              "\"\n\n[[source]]\nname = \"p\"\npage = \"" + server_.url("/p.html") + "\"\n");
    Write("oracle/sibyl.lock",
          "version = 2\n\n[[pin]]\nname = \"p\"\nkind = \"page\"\norigin = \"" +
              server_.url("/p.html") + "\"\ntree = \"" + std::string(40, 'b') +
              "\"\ndate = \"2026-08-20T12:00:00Z\"\nmax_file_bytes = 33554432\n\n[[pin.page]]\n"
              "url = \"" +
              server_.url("/p.html") +
              "\"\npath = \"127.0.0.1/p.md\"\ntitle = \"P\"\n"
              "sha256 = \"" +
              std::string(64, 'c') + "\"\ntext_sha256 = \"" + std::string(64, 'd') +
              "\"\nfetched = \"2026-08-20T12:00:00Z\"\n\n[[pin]]\nname = \"r\"\nkind = \"git\"\n"
              "origin = \"" +
              server_.url("/r.git") + "\"\ncommit = \"" + std::string(40, 'a') + "\"\ntree = \"" +
              std::string(40, 'e') +
              "\"\ndate = \"2026-08-20T12:00:00Z\"\nmax_file_bytes = 2097152\n");
    Write("oracle/gadget/01-streams.md", "# Streams\n\nStreams have a `kPriority` of 3 ms.\n");
    Write("oracle/plan.md", kPlan);
    // Contacts no server: what git would fetch is in its arguments.
    Write("bin/git",
          "#!/bin/sh\necho \"$@\" >> '" + git_log().string() + "'\nexec /usr/bin/git \"$@\"\n");
    fs::permissions(folder_.path() / "bin/git", fs::perms::owner_all);
  }

  void SetUp() override {
    const int status = RunConfined({"version"}).status;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 125) {
      GTEST_SKIP() << "seccomp filters are not permitted here";
    }
  }

  fs::path git_log() const { return folder_.path() / "git.log"; }

  void Write(const fs::path& path, std::string_view text) const {
    ASSERT_TRUE(CreateFolders((folder_.path() / path).parent_path()).ok());
    ASSERT_TRUE(WriteFileAtomically(folder_.path() / path, text).ok());
  }

  struct Ran {
    int status = 0;  ///< As waitpid gives it.
    std::string said;
  };

  /// Runs the program in the oracle with an empty cache, confined.
  Ran RunConfined(const Words& words) const {
    std::error_code ignored;
    fs::remove_all(folder_.path() / "cache", ignored);
    const fs::path said = folder_.path() / "said";
    const std::vector<std::string> environment = {
        "PATH=" + (folder_.path() / "bin").string() + ":/usr/bin:/bin",
        "HOME=" + folder_.path().string(),
        "XDG_CACHE_HOME=" + (folder_.path() / "cache").string(),
        "SIBYL_WEB_ALLOW=" + server_.host(),
        "SIBYL_MODEL_URL=" + server_.url("/v1"),
        "LC_ALL=C.UTF-8"};
    std::vector<const char*> arguments = {SIBYL_PROGRAM};
    for (const std::string& word : words) arguments.push_back(word.c_str());
    arguments.push_back(nullptr);
    std::vector<const char*> variables;
    for (const std::string& variable : environment) variables.push_back(variable.c_str());
    variables.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      const int out = ::open(said.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
      const int in = ::open("/dev/null", O_RDONLY);
      if (::chdir(oracle_.c_str()) != 0) ::_exit(125);
      ::dup2(in, STDIN_FILENO);
      ::dup2(out, STDOUT_FILENO);
      ::dup2(out, STDERR_FILENO);
      // Where namespaces are not permitted the filter still holds.
      if (::unshare(CLONE_NEWNET) != 0) (void)::unshare(CLONE_NEWUSER | CLONE_NEWNET);
      ForbidSockets();
      ::execve(SIBYL_PROGRAM, const_cast<char**>(arguments.data()),
               const_cast<char**>(variables.data()));
      ::_exit(125);
    }
    Ran ran;
    ::waitpid(child, &ran.status, 0);
    const Result<std::string> text = ReadFile(said);
    ran.said = text.ok() ? *text : "";
    return ran;
  }

  bool GitWasSentToServer() const {
    const Result<std::string> log = ReadFile(git_log());
    return log.ok() && log->find(server_.host()) != std::string::npos;
  }

  /// It must run to its end, with any result, and open no connection.
  void ExpectOffline(const Words& words) const {
    SCOPED_TRACE(Join(words, " "));
    const Ran ran = RunConfined(words);
    ASSERT_TRUE(WIFEXITED(ran.status)) << "ended by signal " << WTERMSIG(ran.status) << "\n"
                                       << ran.said;
    EXPECT_LE(WEXITSTATUS(ran.status), 2) << ran.said;
    EXPECT_EQ(ran.said.find("Bad system call"), std::string::npos) << ran.said;
    EXPECT_FALSE(GitWasSentToServer());
    EXPECT_EQ(server_.connections(), 0);
  }

  TemporaryFolder folder_;
  net::TestServer server_;
  fs::path oracle_;
};

// How each operation is run here; --offline is added to those that may use the
// network. One that is not in this table fails the test below.
const std::map<std::string, std::vector<Words>> kCalls = {
    {"init", {{"init", "new"}}},
    {"source add",
     {{"source", "add", "https://docs.example.org/a.html", "--name", "new"},
      {"source", "add", "https://github.com/o/r", "--name", "new"}}},
    {"source list", {{"source", "list", "-v"}}},
    {"source sync", {{"source", "sync"}}},
    {"source remove", {{"source", "remove", "nothing"}}},
    {"source export", {{"source", "export", "p", "p.warc.gz"}}},
    {"source import", {{"source", "import", "p.warc.gz"}}},
    {"trust", {{"trust", "--list"}}},
    {"store init", {{"store", "init", "shared"}}},
    {"store check", {{"store", "check"}}},
    {"store gc", {{"store", "gc"}}},
    {"source read", {{"source", "read", "r:a.md"}, {"source", "read", "p:127.0.0.1/p.md"}}},
    {"source files", {{"source", "files", "r"}}},
    {"page list", {{"page", "list"}}},
    {"page show", {{"page", "show", "gadget/01-streams.md"}}},
    {"page correct",
     {{"page", "correct", "gadget/01-streams.md", "--replace", "a", "--with", "b"}}},
    {"source outline", {{"source", "outline", "r:a.md"}}},
    {"source symbols", {{"source", "symbols", "r:a.md"}}},
    {"expand",
     {{"expand", "plan.md"},
      {"expand", "plan.md", "--dry-run"},
      {"expand", "plan.md", "--writer", "llm"}}},
    {"status", {{"status"}}},
    {"worker", {{"worker", "--until-idle"}}},
    {"launch",
     {{"launch", "slurm", "plan.md", "--workers", "1", "--dry-run"},
      {"launch", "systemd", "plan.md", "--workers", "1", "--dry-run"}}},
    {"ask", {{"ask", "what is the detection order of the profiler"}}},
    {"search", {{"search", "profiler"}, {"search", "-e", "profiler"}}},
    {"card", {{"card", "profiler"}}},
    {"cite", {{"cite", "r:a.md:1"}, {"cite", "p:127.0.0.1/p.md:1"}}},
    {"verify", {{"verify"}}},
    {"audit", {{"audit", "gadget"}}},
    {"refresh", {{"refresh", "--dry-run"}}},
    {"plan show", {{"plan", "show", "plan.md"}}},
    {"plan check", {{"plan", "check", "plan.md"}}},
    {"plan new", {{"plan", "new", "Widgets"}}},
    {"plan sources", {{"plan", "sources", "plan.md"}}},
    {"plan status", {{"plan", "status", "plan.md"}}},
    {"part claim", {{"part", "claim", "plan.md"}}},
    {"part draft", {{"part", "draft", "--section", "1", "--not-found", "lease"}}},
    {"part show", {{"part", "show", "lease"}}},
    {"part submit", {{"part", "submit", "lease"}}},
    {"part release", {{"part", "release", "lease"}}},
    {"plan finalize", {{"plan", "finalize", "plan.md"}}},
    {"inspect", {{"inspect", "/bin/sh"}}},
    {"doctor", {{"doctor"}}},
    {"lab list", {{"lab", "list"}}},
    {"lab run", {{"lab", "run", "none"}}},
    {"lab keep", {{"lab", "keep", "none"}}},
    {"lab show", {{"lab", "show", "none"}}},
    {"lab compare", {{"lab", "compare", "none", "nothing"}}},
    {"lab results", {{"lab", "results"}}},
    {"dump", {{"dump", "sibyl.lock"}}},
    {"site", {{"site", "out"}, {"site", "links", "--receipts", "links"}}},
    {"mcp", {{"mcp"}}},
    {"lsp", {{"lsp"}}},
    {"help", {{"help"}}},
    {"completions", {{"completions", "bash"}}},
    {"version", {{"version"}}},
};

// It listens; that is its purpose.
const std::set<std::string> kServers = {"serve"};

// The rows as the program prints them: name, and whether the network may be used.
std::map<std::string, std::string> DeclaredNetwork() {
  const auto outcome = RunProgram({.program = SIBYL_PROGRAM, .arguments = {"help", "--json"}});
  std::map<std::string, std::string> declared;
  if (!outcome.ok()) return declared;
  const Result<Json> json = ParseJson(outcome->output);
  if (!json.ok()) return declared;
  for (const Json& operation : (*json)["operations"]) {
    declared[operation["name"]] = operation["effects"]["network_use"];
  }
  return declared;
}

TEST_F(Offline, OperationsThatDeclareNoNetworkMakeNoAttempt) {
  const std::map<std::string, std::string> declared = DeclaredNetwork();
  ASSERT_GT(declared.size(), 30U);
  for (const auto& [name, use] : declared) {
    if (kServers.contains(name)) continue;
    const auto calls = kCalls.find(name);
    ASSERT_NE(calls, kCalls.end()) << "say in kCalls how to run '" << name << "'";
    for (Words words : calls->second) {
      if (use == "always") words.insert(words.begin(), "--offline");
      ExpectOffline(words);
    }
  }
}

TEST_F(Offline, TheSwitchHoldsForWhatWouldBeAskedForToo) {
  for (const Words& words : std::vector<Words>{{"--offline", "verify", "--restore"},
                                               {"--offline", "search", "--web", "profiler"},
                                               {"--offline", "refresh", "--fetch"},
                                               {"--offline", "plan", "sources", "--add", "plan.md"},
                                               {"--offline", "expand", "--web", "plan.md"}}) {
    ExpectOffline(words);
    EXPECT_NE(RunConfined(words).said.find("--offline"), std::string::npos);
  }
}

// Checks the test itself: without --offline it must record attempts.
TEST_F(Offline, AnAttemptIsSeenByThisTest) {
  const Ran page = RunConfined({"source", "sync", "p"});
  EXPECT_TRUE(WIFSIGNALED(page.status) && WTERMSIG(page.status) == SIGSYS) << page.said;
  (void)RunConfined({"source", "sync", "r"});
  EXPECT_TRUE(GitWasSentToServer());
}

}  // namespace
}  // namespace sibyl
