// SPDX-License-Identifier: Apache-2.0
// The disk becomes full at any write of the program or of its git: the program reports
// it with a hint, and once there is space again the next run completes, with the same
// result as an undisturbed run.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/process/subprocess.h"
#include "base/strings.h"
#include "engine/test_git_http.h"
#include "net/test_server.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;
using net::TestAnswer;
using net::TestPage;

constexpr std::uint64_t kNever = std::uint64_t{1} << 60;

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

std::string Article() {
  std::string html =
      "<html><head><title>Profiler</title></head><body><main><h1>Profiler</h1><p>The detection "
      "order of the profiler is fixed: the toolkit is asked before the system.</p>";
  for (int i = 0; i < 4; ++i) {
    html += "<p>Paragraph " + std::to_string(i) +
            " says something about gadgets, their parts, how they are put together, and what a "
            "person who builds one should look at before anything else is done.</p>";
  }
  return html + "</main></body></html>";
}

// Text that does not compress, so that a pack takes many writes.
std::string Noise(std::uint32_t seed) {
  std::mt19937 random(seed);
  std::string text = "# Widget\n\n";
  while (text.size() < 3000) {
    text += static_cast<char>('!' + random() % 90);
    if (text.size() % 70 == 0) text += '\n';
  }
  return text + "\n";
}

class FullDisk : public testing::Test {
 protected:
  FullDisk() : server_([this](const std::string& request) { return Serve(request); }) {
    const fs::path origin = folder_.path() / "served" / "widget.git";
    fs::create_directories(origin);
    for (std::uint32_t i = 0; i < 60; ++i) {
      EXPECT_TRUE(
          WriteFileAtomically(origin / ("widget" + std::to_string(i) + ".md"), Noise(i)).ok());
    }
    Shell(origin,
          "git init -q -b main && git config uploadpack.allowFilter true && git add . && "
          "git -c user.name=a -c user.email=a@example.org commit -qm one");
    const fs::path oracle = folder_.path() / "fresh" / "oracle";
    fs::create_directories(oracle.parent_path());
    EXPECT_EQ(Sibyl(oracle.parent_path(), {"init", "oracle"}, kNever).exit_code, 0);
    Shell(oracle, "git config user.name Ada && git config user.email ada@example.org");
    const std::string config = *ReadFile(oracle / "sibyl.toml");
    EXPECT_TRUE(WriteFileAtomically(oracle / "sibyl.toml",
                                    config.substr(0, config.find("\n[web]")) +
                                        "\n[web]\ninterval_ms = 0\nallow = [\"" + server_.host() +
                                        "\"]\nprovider = \"searxng\"\nurl = \"" + server_.url("/") +
                                        "\"\n")
                    .ok());
    EXPECT_TRUE(WriteFileAtomically(oracle / "gadget.md", kPlan).ok());
  }

  TestAnswer Serve(const std::string& request) {
    const std::size_t start = request.find(' ') + 1;
    const std::string path = request.substr(start, request.find(' ', start) - start);
    if (path.starts_with("/widget.git") && cuts_ > 0) {
      TestAnswer answer = engine::ServeGit(folder_.path() / "served", request);
      if (answer.bytes.find("packfile\n") == std::string::npos) return answer;
      --cuts_;
      answer.bytes.resize(answer.bytes.size() * 6 / 10);
      answer.then = TestAnswer::Then::kClose;
      return answer;
    }
    if (path.starts_with("/widget.git"))
      return engine::ServeGit(folder_.path() / "served", request);
    if (path == "/profiler.html") {
      return TestPage("200 OK", "Content-Type: text/html\r\n", Article());
    }
    if (path.starts_with("/search?")) {
      return TestPage("200 OK", "",
                      R"({"results":[{"url":")" + server_.url("/profiler.html") +
                          R"(","title":"Profiler","content":"order"}]})");
    }
    return TestPage("404 Not Found", "", "");
  }

  static void Shell(const fs::path& folder, const std::string& line) {
    const auto outcome =
        RunProgram({.program = "/bin/sh", .arguments = {"-c", line}, .folder = folder});
    EXPECT_TRUE(outcome.ok() && outcome->succeeded()) << line;
  }

  // The program in a folder, on a disk that is full after so many writes.
  Outcome Sibyl(const fs::path& folder, std::vector<std::string> arguments, std::uint64_t writes) {
    const fs::path counter = folder_.path() / "counter";
    EXPECT_TRUE(WriteFileAtomically(counter, std::string(8, '\0')).ok());
    const auto outcome =
        RunProgram({.program = SIBYL_PROGRAM,
                    .arguments = std::move(arguments),
                    .folder = folder,
                    .environment = {{"LD_PRELOAD", SIBYL_FULL_DISK},
                                    {"FULL_DISK_BELOW", folder.parent_path().string()},
                                    {"FULL_DISK_COUNTER", counter.string()},
                                    {"FULL_DISK_AFTER", std::to_string(writes)},
                                    {"XDG_CACHE_HOME", (folder.parent_path() / "cache").string()},
                                    {"XDG_STATE_HOME", (folder.parent_path() / "state").string()},
                                    {"HOME", folder_.path().string()},
                                    {"SIBYL_WEB_ALLOW", server_.host()},
                                    {"GIT_CONFIG_GLOBAL", "/dev/null"},
                                    {"SOURCE_DATE_EPOCH", "1794700800"}}});
    EXPECT_TRUE(outcome.ok());
    const std::string bytes = *ReadFile(counter);
    std::memcpy(&writes_, bytes.data(), sizeof(writes_));
    return outcome.ok() ? *outcome : Outcome{};
  }

  // An oracle of its own for each try.
  fs::path NewOracle() {
    const fs::path place = folder_.path() / ("try" + std::to_string(tries_++));
    fs::copy(folder_.path() / "fresh", place, fs::copy_options::recursive);
    return place / "oracle";
  }

  // The first few, the last few, and some between.
  static std::vector<std::uint64_t> Moments(std::uint64_t all) {
    std::vector<std::uint64_t> moments;
    constexpr std::uint64_t kFew = 4;
    constexpr std::uint64_t kBetween = 14;
    for (std::uint64_t i = 0; i < std::min(kFew, all); ++i) moments.push_back(i);
    for (std::uint64_t i = 1; i <= kBetween; ++i) moments.push_back(kFew + (all - kFew) * i / 16);
    for (std::uint64_t i = 0; i < std::min(kFew, all); ++i) moments.push_back(all - 1 - i);
    std::sort(moments.begin(), moments.end());
    moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
    return moments;
  }

  // Whether the declaration was written or not before the disk was full.
  Outcome AddAgain(const fs::path& oracle, const std::string& url) {
    const bool is_declared = ReadFile(oracle / "sibyl.toml")->find(url) != std::string::npos;
    return is_declared ? Sibyl(oracle, {"source", "sync"}, kNever)
                       : Sibyl(oracle, {"source", "add", url}, kNever);
  }

  static void ExpectSaysSo(const Outcome& outcome, std::uint64_t writes) {
    const std::string said = LowerCase(outcome.errors + outcome.output);
    EXPECT_EQ(outcome.exit_code, 2) << "after " << writes << ": " << said;
    EXPECT_TRUE(said.find("no space left") != std::string::npos ||
                said.find("out of diskspace") != std::string::npos ||
                said.find("disk space") != std::string::npos ||
                said.find("disk is full") != std::string::npos)
        << "after " << writes << ": " << said;
  }

  TemporaryFolder folder_;
  net::TestServer server_;
  std::uint64_t writes_ = 0;  // of the last run
  int tries_ = 0;
  std::atomic<int> cuts_ = 0;  // fetches that are still to be broken
};

TEST_F(FullDisk, DuringAGitFetchIsSaidAndTheNextRunCompletes) {
  const std::string url = server_.url("/widget.git");
  const fs::path calm = NewOracle();
  ASSERT_EQ(Sibyl(calm, {"source", "add", url}, kNever).exit_code, 0);
  const std::string lock = *ReadFile(calm / "sibyl.lock");
  const std::uint64_t all = writes_;
  ASSERT_GT(all, 40U) << "is the library loaded?";
  int failed = 0;
  for (const std::uint64_t writes : Moments(all)) {
    const fs::path oracle = NewOracle();
    const Outcome faulty = Sibyl(oracle, {"source", "add", url}, writes);
    if (faulty.exit_code != 0) {
      ++failed;
      ExpectSaysSo(faulty, writes);
      const Outcome next = AddAgain(oracle, url);
      EXPECT_EQ(next.exit_code, 0) << "after " << writes << ": " << next.errors;
    }
    EXPECT_EQ(*ReadFile(oracle / "sibyl.lock"), lock) << "after " << writes;
    const Outcome found = Sibyl(oracle, {"search", "widget"}, kNever);
    EXPECT_EQ(found.exit_code, 0) << "after " << writes << ": " << found.errors;
    fs::remove_all(oracle.parent_path());
  }
  EXPECT_GT(failed, 10);
}

// The transfer breaks, the program goes on by itself, and there is no room for that.
TEST_F(FullDisk, DuringTheRescueOfABrokenFetchLosesNothing) {
  const std::string url = server_.url("/widget.git");
  const fs::path calm = NewOracle();
  cuts_ = 1;
  ASSERT_EQ(Sibyl(calm, {"source", "add", url}, kNever).exit_code, 0);
  ASSERT_EQ(cuts_, 0);
  const std::string lock = *ReadFile(calm / "sibyl.lock");
  const std::uint64_t all = writes_;
  int failed = 0;
  for (std::uint64_t i = 2; i < 10; ++i) {
    const std::uint64_t writes = all * i / 10;
    const fs::path oracle = NewOracle();
    cuts_ = 1;
    const Outcome faulty = Sibyl(oracle, {"source", "add", url}, writes);
    // How many writes git needs depends on how the bytes come: the room may do.
    if (faulty.exit_code != 0) {
      if (cuts_ == 0) ++failed;  // it was broken before there was no room
      ExpectSaysSo(faulty, writes);
      cuts_ = 0;
      const Outcome next = AddAgain(oracle, url);
      EXPECT_EQ(next.exit_code, 0) << "after " << writes << ": " << next.errors;
    }
    EXPECT_EQ(*ReadFile(oracle / "sibyl.lock"), lock) << "after " << writes;
    EXPECT_EQ(Sibyl(oracle, {"search", "widget"}, kNever).exit_code, 0);
    fs::remove_all(oracle.parent_path());
  }
  EXPECT_GT(failed, 2);
}

TEST_F(FullDisk, DuringResearchAndExpansionIsSaidAndTheNextRunCompletes) {
  const std::vector<std::string> expand = {"expand", "gadget.md", "--web"};
  const fs::path calm = NewOracle();
  const Outcome done = Sibyl(calm, expand, kNever);
  ASSERT_EQ(done.exit_code, 0) << done.errors;
  const std::uint64_t all = writes_;
  ASSERT_GT(all, 40U) << "is the library loaded?";
  int failed = 0;
  for (const std::uint64_t writes : Moments(all)) {
    const fs::path oracle = NewOracle();
    const Outcome faulty = Sibyl(oracle, expand, writes);
    if (faulty.exit_code != 0) {
      ++failed;
      ExpectSaysSo(faulty, writes);
      const Outcome next = Sibyl(oracle, expand, kNever);
      EXPECT_EQ(next.exit_code, 0) << "after " << writes << ": " << next.errors;
    }
    for (const std::string_view file : {"sibyl.lock", "gadget/01-profiler.md"}) {
      EXPECT_EQ(ReadFile(oracle / file).value(), ReadFile(calm / file).value())
          << file << " after " << writes;
    }
    fs::remove_all(oracle.parent_path());
  }
  EXPECT_GT(failed, 10);
}

}  // namespace
}  // namespace sibyl
