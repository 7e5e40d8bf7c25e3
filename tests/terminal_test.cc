// SPDX-License-Identifier: Apache-2.0
// What people see: the program runs on pseudo-terminals of several widths.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/process/subprocess.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "tests/terminal_screen.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

std::string Joined(const std::vector<std::string>& rows) { return Join(rows, "\n"); }

class TerminalTest : public ::testing::Test {
 protected:
  TerminalTest() {
    Shell(
        "sibyl init -q o && git -C o config user.name Ada && "
        "git -C o config user.email ada@example.org && mkdir m");
    Write("m/cache.md",
          "# Cache\n\nThe cache of compiled kernels holds 48 KB.\nIts size is set with "
          "GADGET_CACHE_KB.\n");
    Shell("sibyl -C o source add m -q");
    // Parts with long names, parts that fail, and enough of them that the board is
    // drawn several times.
    std::string plan = "# Knowledge expansion: Gadget\n";
    for (int part = 1; part <= 8; ++part) {
      plan += fmt::format(
          "\n## PART {0}: The cache\n\n"
          "- [ ] PART {0}: Create gadget-programming/0{0}-the-cache-of-compiled-kernels.md "
          "(~80 lines)\n\n"
          "- [ ] Section 1: Sizes (~40 lines)\n      - {1}\n",
          part, part % 3 == 0 ? "Espresso pressure regulation" : "Cache of compiled kernels");
    }
    Write("plan.md", plan);
  }

  void Write(const fs::path& path, std::string_view text) const {
    EXPECT_TRUE(WriteFileAtomically(folder_.path() / path, text).ok());
  }

  std::map<std::string, std::string> Environment(const std::string& term = "xterm") const {
    return {{"PATH", fs::path(SIBYL_PROGRAM).parent_path().string() + ":/usr/bin:/bin"},
            {"HOME", folder_.path().string()},
            {"LC_ALL", "C.UTF-8"},
            {"TERM", term}};
  }

  std::string Shell(const std::string& command) const {
    const auto outcome = RunProgram({.program = "/bin/bash",
                                     .arguments = {"-c", command},
                                     .folder = folder_.path(),
                                     .environment = Environment(),
                                     .inherits_environment = false});
    EXPECT_TRUE(outcome.ok() && outcome->succeeded()) << command;
    return outcome.ok() ? outcome->output : std::string();
  }

  TerminalRun Expand(std::size_t columns) const {
    return {.words = {SIBYL_PROGRAM, "-C", "o", "expand", "-j1", "plan.md"},
            .folder = folder_.path(),
            .environment = Environment(),
            .columns = columns};
  }

  // The board is gone, the table is there, and nothing but a path that is longer
  // than the window was wrapped.
  static void CheckEnd(const TerminalOutcome& outcome, std::size_t columns) {
    const std::vector<std::string> rows = outcome.screen.Rows();
    ASSERT_FALSE(rows.empty());
    EXPECT_TRUE(rows[0].starts_with("part  file")) << Joined(rows);
    EXPECT_NE(Joined(rows).find("6 delivered, 2 failed"), std::string::npos) << Joined(rows);
    for (const std::string& row : rows) {
      EXPECT_LE(DisplayWidth(row), columns) << row;
      for (const char* state : {"waiting", "gathering", "writing", "checking"}) {
        EXPECT_EQ(row.find(state), std::string::npos) << Joined(rows);
      }
    }
    constexpr std::size_t kLongestWord = 60;  // o/_ingest-auto/expansion-plan/…
    if (columns >= kLongestWord) {
      EXPECT_EQ(Joined(outcome.screen.WrappedRows()), "");
    }
    EXPECT_EQ(outcome.exit_code, 1);
  }

  TemporaryFolder folder_;
};

class BoardWidth : public TerminalTest, public ::testing::WithParamInterface<std::size_t> {};

TEST_P(BoardWidth, BoardAndResultFitIntoTheWindow) {
  const TerminalOutcome outcome = RunOnTerminal(Expand(GetParam()));
  EXPECT_NE(outcome.bytes.find("\x1b[J"), std::string::npos) << "no board was drawn";
  CheckEnd(outcome, GetParam());
  // Every frame of the board, and the rows of the table.
  for (const std::string_view line : SplitLines(outcome.bytes)) {
    const bool is_row = line.find("gadget-") != std::string_view::npos ||
                        line.find("gad") != std::string_view::npos ||
                        line.find(" parts, ") != std::string_view::npos ||
                        line.find("part  file") != std::string_view::npos;
    if (!is_row || line.find("ingest-auto") != std::string_view::npos) continue;
    Screen screen(10'000);
    screen.Write(line);
    for (const std::string& row : screen.Rows()) EXPECT_LE(DisplayWidth(row), GetParam()) << row;
  }
}

INSTANTIATE_TEST_SUITE_P(Columns, BoardWidth, ::testing::Values(40, 60, 80, 100, 200));

TEST_F(TerminalTest, TheBoardFollowsAWindowThatGetsNarrower) {
  TerminalRun run = Expand(100);
  bool is_resized = false;
  run.resize = [&is_resized](const Screen& screen) -> std::size_t {
    if (is_resized || Joined(screen.Rows()).find(" of 8 parts") == std::string::npos) return 0;
    is_resized = true;
    return 60;
  };
  const TerminalOutcome outcome = RunOnTerminal(run);
  EXPECT_TRUE(is_resized);
  CheckEnd(outcome, 60);
}

TEST_F(TerminalTest, TheBoardFollowsAWindowThatGetsWider) {
  TerminalRun run = Expand(60);
  bool is_resized = false;
  run.resize = [&is_resized](const Screen& screen) -> std::size_t {
    if (is_resized || Joined(screen.Rows()).find(" of 8 parts") == std::string::npos) return 0;
    is_resized = true;
    return 120;
  };
  const TerminalOutcome outcome = RunOnTerminal(run);
  EXPECT_TRUE(is_resized);
  CheckEnd(outcome, 120);
  EXPECT_NE(Joined(outcome.screen.Rows()).find("citations"), std::string::npos);
}

class TextWidth : public TerminalTest, public ::testing::WithParamInterface<std::size_t> {
 protected:
  // Nothing is cut off, and only a long word is broken.
  void CheckFits(const std::vector<std::string>& words) const {
    std::vector<std::string> all = {SIBYL_PROGRAM};
    all.insert(all.end(), words.begin(), words.end());
    const TerminalOutcome outcome = RunOnTerminal({.words = all,
                                                   .folder = folder_.path(),
                                                   .environment = Environment(),
                                                   .columns = GetParam()});
    EXPECT_FALSE(outcome.bytes.empty()) << Join(words, " ");
    for (const std::string_view line : SplitLines(outcome.bytes)) {
      Screen screen(10'000);
      screen.Write(line);
      const std::string text = Joined(screen.Rows());
      if (DisplayWidth(text) <= GetParam()) continue;
      std::size_t longest = 0;
      std::istringstream words_of(text);
      for (std::string word; words_of >> word;) longest = std::max(longest, DisplayWidth(word));
      EXPECT_GT(longest, GetParam() / 2) << Join(words, " ") << ": " << text;
    }
  }
};

// They were 79 columns wide, or as wide as their tables.
TEST_P(TextWidth, HelpAndReportsFitIntoTheWindow) {
  CheckFits({"help"});
  CheckFits({"help", "inspect"});
  CheckFits({"doctor"});
  CheckFits({"inspect", "--gpus"});
  CheckFits({"-C", "o", "ask", "how large is the cache of compiled kernels"});
  CheckFits({"-C", "o", "ask", "which cloud has the cheapest machines for compiled kernels"});
  CheckFits({"-C", "o", "search", "compiled kernels"});
  CheckFits({"-C", "o", "audit", "m/cache.md"});
  CheckFits({"ask", "a question that is asked where no oracle is, so that a hint is shown"});
}

INSTANTIATE_TEST_SUITE_P(Columns, TextWidth, ::testing::Values(40, 60, 80));

class LinkTest : public TerminalTest {
 protected:
  std::string PlanCheck(const std::map<std::string, std::string>& variables,
                        const std::vector<std::string>& options = {}) const {
    std::map<std::string, std::string> environment = Environment("xterm-256color");
    for (const auto& [name, value] : variables) environment[name] = value;
    std::vector<std::string> words = {SIBYL_PROGRAM, "plan", "check", "plan.md"};
    words.insert(words.end(), options.begin(), options.end());
    return RunOnTerminal({.words = words, .folder = folder_.path(), .environment = environment})
        .bytes;
  }

  static bool HasLink(const std::string& bytes) {
    return bytes.find("\x1b]8;id=") != std::string::npos;
  }
};

TEST_F(LinkTest, PlacesAreLinksOnTerminalsThatShowThem) {
  const std::string shown = PlanCheck({{"TERM", "xterm-kitty"}});
  EXPECT_TRUE(HasLink(shown)) << shown;
  EXPECT_NE(shown.find(folder_.path().string() + "/plan.md#3\x1b\\plan.md:3\x1b]8;;\x1b\\"),
            std::string::npos)
      << shown;
  EXPECT_TRUE(HasLink(PlanCheck({{"VTE_VERSION", "7200"}})));
  EXPECT_TRUE(HasLink(PlanCheck({{"FORCE_HYPERLINK", "1"}})));
}

TEST_F(LinkTest, OtherTerminalsGetNone) {
  EXPECT_FALSE(HasLink(PlanCheck({})));
  EXPECT_FALSE(HasLink(PlanCheck({{"TERM", "dumb"}, {"FORCE_HYPERLINK", "1"}})));
  EXPECT_FALSE(HasLink(PlanCheck({{"TERM", "xterm-kitty"}, {"FORCE_HYPERLINK", "0"}})));
  EXPECT_FALSE(HasLink(PlanCheck({{"TERM", "xterm-kitty"}, {"NO_COLOR", "1"}})));
  EXPECT_FALSE(HasLink(PlanCheck({{"TERM", "xterm-kitty"}}, {"--color", "never"})));
}

TEST_F(LinkTest, PipesAndLogsGetNone) {
  const std::string command =
      "TERM=xterm-kitty FORCE_HYPERLINK=1 sibyl plan check plan.md --color always 2>&1 | cat";
  EXPECT_EQ(Shell(command).find("\x1b]8"), std::string::npos);
  // Stdout is the terminal, and what goes to stderr is written to a log.
  std::map<std::string, std::string> environment = Environment("xterm-kitty");
  const TerminalOutcome outcome =
      RunOnTerminal({.words = {"/bin/bash", "-c", "sibyl doctor 2> log"},
                     .folder = folder_.path(),
                     .environment = environment});
  const Result<std::string> log = ReadFile(folder_.path() / "log");
  ASSERT_TRUE(log.ok());
  EXPECT_EQ(log->find('\x1b'), std::string::npos) << *log;
}

// The name of a file and a text are a stranger's.
TEST_F(LinkTest, AForeignLinkIsMadeVisible) {
  Write("plan.md", "# Knowledge expansion: \x1b]8;;https://evil.example\x1b\\x\x1b]8;;\x1b\\\n");
  const std::string shown = PlanCheck({{"TERM", "xterm-kitty"}});
  EXPECT_EQ(shown.find("\x1b]8;;https://evil.example"), std::string::npos) << shown;
}

}  // namespace
}  // namespace sibyl
