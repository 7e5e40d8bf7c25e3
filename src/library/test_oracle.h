// SPDX-License-Identifier: Apache-2.0
// For tests: an oracle in git with a plan of three parts, and a disk that can
// be made to fail.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/files/files.h"
#include "base/files/own_folder.h"
#include "base/files/temporary_folder.h"
#include "base/os_error.h"
#include "base/process/subprocess.h"
#include "base/strings.h"
#include "gate/test_verified.h"
#include "library/disk.h"
#include "library/library.h"

namespace sibyl::library {

inline const FixedClock kTestClock{Time(std::chrono::seconds(1'794'733'500))};  // 2026-11-15 09:05

constexpr std::string_view kTestPlanPath = "_ingest-auto/expansion-gadget-2026-11-15/ingestion.md";

constexpr std::string_view kTestPlan = R"(# Oracle Knowledge Expansion: Gadget

## PART 1: Create gadget/01-profiler.md (100 lines)

- [ ] PART 1: Create gadget/01-profiler.md

**Step 3: Write**
- [ ] Section 1: Detection (~50 lines)
      - Detection order

## PART 2: Create cuda/02-streams.md (100 lines)

- [ ] PART 2: Create cuda/02-streams.md

## PART 3: Create cuda/03-graphs.md (100 lines)

- [ ] PART 3: Create cuda/03-graphs.md
)";

constexpr std::string_view kPersonsIndex =
    "# CUDA & PyTorch - Index\r\n\r\nMy own words.\r\n\r\n<!-- sibyl:begin files -->\r\nold\r\n"
    "<!-- sibyl:end files -->\r\n\r\n---\r\nMine too.";

inline draft::Draft TestDraft(std::string path, std::string title, std::string point) {
  draft::Draft draft{.path = std::move(path), .title = title};
  draft.text = "# " + title + R"(

> sibyl 0.1 · 2026-11-15 · gadget@4f2a91c · 1 of 1 citations hold · 1 of 2 points covered

## 1. Detection

`PROF_LIBRARY` is looked for first.[^p1-1] `PROF_LIBRARY` again, and `cmake`.

## Not found

- nothing

## Sources
[^p1-1]: gadget CMakeLists.txt <!-- swh:1:cnt:94954abda49de8615a048f8d2e64b5de848e27a1 -->
)";
  draft.sections.push_back({.title = "Detection",
                            .points = {{.point = std::move(point), .where = "1.1"},
                                       {.point = "Windows <!-- sibyl:end files --> | differences",
                                        .where = {},
                                        .nearest = "cmake/Toolchain.cmake:12"}}});
  draft.sources.push_back(
      {.name = "gadget", .pin = "4f2a91c", .origin = "https://example.org/gadget", .citations = 1});
  draft.keywords = {"profiler", "PROF_LIBRARY"};
  return draft;
}

/// Scratch space in memory where there is such: what is synced thousands of
/// times need not reach a disk.
class MemoryFolder {
 public:
  MemoryFolder() {
    std::string name = "/dev/shm/sibyl-test-XXXXXX";
    path_ = ::mkdtemp(name.data()) != nullptr ? std::filesystem::path(name) : fallback_.path();
  }
  MemoryFolder(const MemoryFolder&) = delete;
  MemoryFolder& operator=(const MemoryFolder&) = delete;
  ~MemoryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }

 private:
  TemporaryFolder fallback_;
  std::filesystem::path path_;
};

class TestOracle {
 public:
  /// A copy of one that git made once: the crash tests need hundreds.
  TestOracle() : oracle_(folder_.path() / "gpu-oracle") {
    static const TestOracle kFirst{First()};
    std::filesystem::copy(kFirst.oracle_, oracle_, std::filesystem::copy_options::recursive);
  }

  /// A copy of another, with its history.
  explicit TestOracle(const std::filesystem::path& original)
      : oracle_(folder_.path() / "gpu-oracle") {
    std::filesystem::copy(original, oracle_, std::filesystem::copy_options::recursive);
  }

  const std::filesystem::path& path() const { return oracle_; }
  /// Where the user's key is.
  const std::filesystem::path& state() const { return state_.path(); }
  OwnFolder own() const { return OwnFolder::Open(oracle_, *UserState::Open(state())).value(); }
  PublishOptions options(Disk* disk = nullptr) const {
    own_ = own();
    return {.own = *own_,
            .clock = kTestClock,
            .patience = std::chrono::milliseconds(10'000),
            .disk = disk};
  }

  void Write(const std::string& path, std::string_view text) const {
    std::filesystem::create_directories((oracle_ / path).parent_path());
    std::ofstream(oracle_ / path, std::ios::binary) << text;
  }
  std::string Read(const std::string& path) const {
    Result<std::string> text = ReadFile(oracle_ / path);
    return text.ok() ? *text : "no file " + path;
  }
  bool Has(const std::string& path) const { return std::filesystem::exists(oracle_ / path); }

  std::string Git(std::vector<std::string> arguments) const {
    const Result<Outcome> outcome =
        RunProgram({.program = "git",
                    .arguments = std::move(arguments),
                    .folder = oracle_,
                    .environment = {{"GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z"},
                                    {"GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z"}}});
    EXPECT_TRUE(outcome.ok() && outcome->succeeded())
        << (outcome.ok() ? outcome->errors : outcome.error().message);
    return outcome.ok() ? std::string(Trim(outcome->output)) : std::string();
  }

  void SetHook(std::string_view name, std::string_view script) const {
    const std::filesystem::path hook = oracle_ / ".git/hooks" / std::string(name);
    Write(".git/hooks/" + std::string(name), script);
    std::filesystem::permissions(hook, std::filesystem::perms::owner_all);
  }

  /// Every file and what it says, git's and our own left out; and the history.
  std::map<std::string, std::string> Everything() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(oracle_)) {
      const std::string name = entry.path().lexically_relative(oracle_).generic_string();
      if (name.starts_with(".git/") || name.starts_with(".sibyl")) continue;
      all[name] = entry.is_regular_file() ? ReadFile(entry.path()).value() : "folder";
    }
    all["git log"] = Git({"log", "--format=%H %an %ad %cd%n%B", "--name-status"});
    all["git status"] = Git({"status", "--porcelain"});
    all["stage"] = std::filesystem::exists(oracle_ / ".sibyl/stage") &&
                           !std::filesystem::is_empty(oracle_ / ".sibyl/stage")
                       ? "not empty"
                       : "";
    return all;
  }

 private:
  struct First {};
  explicit TestOracle(First) : oracle_(folder_.path() / "gpu-oracle") {
    std::filesystem::create_directories(oracle_);
    Write(".gitignore", "/.sibyl/\n");
    Write("sibyl.toml", "");
    Write("_ingest-auto/completed/.gitkeep", "");
    Write(std::string(kTestPlanPath), kTestPlan);
    Write("_ingest-auto/expansion-gadget-2026-11-15/notes.txt", "of the user\n");
    Write("cuda/INDEX.md", kPersonsIndex);
    Write("cuda/00-old.md", "# By hand\n\n**Last Updated**: 2025-11-21\n\n## Warps\n\n`warp`\n");
    Write("theirs.txt", "one\n");
    Git({"init", "-q", "-b", "main"});
    Git({"config", "user.name", "Ada"});
    Git({"config", "user.email", "ada@example.org"});
    Git({"config", "commit.gpgsign", "false"});
    Git({"config", "core.fsync", "none"});
    Git({"config", "gc.auto", "0"});
    Git({"add", "-A"});
    Git({"commit", "-q", "-m", "start"});
  }

  MemoryFolder folder_;
  MemoryFolder state_;
  std::filesystem::path oracle_;
  mutable std::optional<OwnFolder> own_;  // what options() lends
};

/// Parts 1 and 2 are delivered, part 3 has failed, or is delivered too.
enum class Part3 { kFails, kDelivered };
inline Publication TestPublication(Part3 third = Part3::kFails) {
  Publication publication{.plan = std::string(kTestPlanPath), .plan_text = std::string(kTestPlan)};
  const auto deliver = [&](std::size_t part, draft::Draft draft) {
    publication.delivered.push_back(
        {.part = part, .file = gate::TestVerified::Of(std::move(draft))});
  };
  deliver(0, TestDraft("gadget/01-profiler.md", "How Gadget finds its profiler", "Order"));
  deliver(1, TestDraft("cuda/02-streams.md", "Streams", "Priorities"));
  if (third == Part3::kDelivered) deliver(2, TestDraft("cuda/03-graphs.md", "Graphs", "Capture"));
  if (third == Part3::kFails) {
    publication.failed.push_back({.part = 2, .reason = "no passage\nabove the threshold"});
  }
  return publication;
}

/// Lets the `at`-th operation fail, or the process end before it.
class FaultyDisk : public Disk {
 public:
  enum class Trouble { kNone, kFull, kKill };
  FaultyDisk(Trouble trouble, int at) : trouble_(trouble), left_(at) {}

  int operations() const { return count_; }

  Status MakeFolders(const Root& oracle, const std::filesystem::path& path) override {
    SIBYL_TRY(Happen());
    return Disk::MakeFolders(oracle, path);
  }
  Status Write(const Root& oracle, const std::filesystem::path& path,
               std::string_view bytes) override {
    const std::filesystem::path shown = oracle.Shown(path);
    SIBYL_TRY(Happen(&shown));
    return Disk::Write(oracle, path, bytes);
  }
  Status MoveFile(const Root& oracle, const std::filesystem::path& from,
                  const std::filesystem::path& to) override {
    SIBYL_TRY(Happen());
    return Disk::MoveFile(oracle, from, to);
  }
  Status MoveFolder(const Root& oracle, const std::filesystem::path& from,
                    const std::filesystem::path& to) override {
    SIBYL_TRY(Happen());
    return Disk::MoveFolder(oracle, from, to);
  }
  Status Remove(const Root& oracle, const std::filesystem::path& path) override {
    SIBYL_TRY(Happen());
    return Disk::Remove(oracle, path);
  }
  Result<Outcome> RunGit(const GitRepository& repository, const Root& oracle,
                         const std::vector<std::string>& arguments,
                         const std::map<std::string, std::string>& environment) override {
    SIBYL_TRY(Happen());
    return Disk::RunGit(repository, oracle, arguments, environment);
  }

 private:
  Status Happen(const std::filesystem::path* written = nullptr) {
    ++count_;
    if (trouble_ == Trouble::kNone || --left_ != 0) return {};
    if (trouble_ == Trouble::kFull) return OsError("writing", ENOSPC);
    // Half-way through a write, a temporary file lies beside it.
    if (written != nullptr) std::ofstream(written->string() + ".1-1.tmp") << "half";
    ::kill(::getpid(), SIGKILL);
    return {};
  }

  Trouble trouble_;
  int left_;
  int count_ = 0;
};

/// Begins `body` in a process of its own. Only where there is one thread: what
/// another one holds at that moment, the memory's lock too, is held in the new
/// process for ever.
inline pid_t BeginChild(const std::function<int()>& body) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(body());
  return pid;
}

/// Its exit code, or minus the signal.
inline int EndOfChild(pid_t pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

inline int InChild(const std::function<int()>& body) { return EndOfChild(BeginChild(body)); }

}  // namespace sibyl::library
