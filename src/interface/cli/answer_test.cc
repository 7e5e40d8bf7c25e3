// SPDX-License-Identifier: Apache-2.0
#include "interface/cli/answer.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "base/strings.h"
#include "base/temporary_folder.h"
#include "base/utf8.h"

namespace sibyl::interface {
namespace {

class AnswerTest : public ::testing::Test {
 protected:
  Answer Ask(const std::vector<std::string_view>& words) {
    return AnswerCommandLine(words, {.working_folder = folder_.path(),
                                     .clock = clock_,
                                     .out = out_,
                                     .err = {},
                                     .trouble = trouble_});
  }
  void Write(std::string_view name, std::string_view text) {
    ASSERT_TRUE(WriteFileAtomically(folder_.path() / name, text).ok());
  }
  TemporaryFolder folder_;
  FixedClock clock_{*ParseDate("2026-11-15")};
  Terminal out_;
  std::optional<Error> trouble_;
};

TEST_F(AnswerTest, MapsEveryKindOfErrorToItsExitCode) {
  EXPECT_EQ(ExitCode(ErrorKind::kUsage), 2);
  EXPECT_EQ(ExitCode(ErrorKind::kNotFound), 2);
  EXPECT_EQ(ExitCode(ErrorKind::kCorrupt), 2);
  EXPECT_EQ(ExitCode(ErrorKind::kUnavailable), 2);
  EXPECT_EQ(ExitCode(ErrorKind::kCancelled), 130);
}

TEST_F(AnswerTest, ShowsHelpOnStderrWhenNothingWasAsked) {
  const Answer answer = Ask({});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_EQ(answer.out, "");
  EXPECT_NE(answer.err.find("usage: sibyl"), std::string::npos);
}

TEST_F(AnswerTest, GivesJsonAVersionAndAnOperation) {
  Write("plan.md", "# Plan\n\n## PART 1: Create a/01-b.md\n");
  const Answer answer = Ask({"plan", "show", "--json", "plan.md"});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(answer.err, "");
  const auto json = ParseJson(answer.out);
  ASSERT_TRUE(json.ok());
  EXPECT_EQ((*json)["version"], 1);
  EXPECT_EQ((*json)["operation"], "plan show");
  EXPECT_EQ((*json)["title"], "Plan");
  EXPECT_TRUE((*json)["findings"].is_array());
}

TEST_F(AnswerTest, GivesErrorsInJsonTooEvenForNonsense) {
  for (const std::vector<std::string_view>& words :
       {std::vector<std::string_view>{"plan", "show", "no.md", "--json"},
        std::vector<std::string_view>{"nonsense", "--json"}}) {
    const Answer answer = Ask(words);
    EXPECT_EQ(answer.exit_code, 2);
    EXPECT_EQ(answer.err, "");
    const auto json = ParseJson(answer.out);
    ASSERT_TRUE(json.ok());
    EXPECT_EQ((*json)["version"], 1);
    EXPECT_FALSE((*json)["error"]["message"].get<std::string>().empty());
  }
}

TEST_F(AnswerTest, GivesHelpAndVersionWhenTheSurroundingsAreBroken) {
  trouble_ = Error{.kind = ErrorKind::kUnavailable, .message = "no working folder"};
  EXPECT_EQ(Ask({"-h"}).exit_code, 0);
  EXPECT_EQ(Ask({"--version"}).exit_code, 0);
  EXPECT_EQ(Ask({"plan", "show", "x"}).err, "sibyl: error: no working folder\n");
}

TEST_F(AnswerTest, KeepsQuietWhenAskedTo) {
  EXPECT_NE(Ask({"plan", "new", "x", "-o", "a.md"}).err, "");
  const Answer quiet = Ask({"plan", "new", "x", "-o", "b.md", "-q"});
  EXPECT_EQ(quiet.out, "b.md\n");
  EXPECT_EQ(quiet.err, "");
}

TEST_F(AnswerTest, PaintsWhenToldToAndOnlyThen) {
  Write("plan.md", "# Plan\n\n## PART 1: Create a/01-b.md\n");
  const auto painted = [this](std::string_view when) {
    return Ask({"plan", "show", "plan.md", when}).out.find('\x1b') != std::string::npos;
  };
  EXPECT_FALSE(painted("--color=auto"));
  EXPECT_TRUE(painted("--color=always"));
  out_ = {.is_terminal = true, .has_colour = true, .columns = 80};
  EXPECT_TRUE(painted("--color=auto"));
  EXPECT_FALSE(painted("--color=never"));
}

TEST_F(AnswerTest, FitsThePlanIntoTheTerminal) {
  Write(
      "plan.md",
      "# A plan with a title that goes on and on until it has to be wrapped on most terminals\n\n"
      "## PART 1: Create a-folder/with-a-long-name/01-and-a-file-with-a-longer-name-still.md (400 "
      "lines)\n\n**Goal**: Say something long enough to be wrapped when it is shown as a tree\n\n"
      "- [ ] Section 1: The first (~400 lines)\n      - a point that is longer than the others, "
      "so that it is wrapped as well as the goal is\n");
  for (const std::size_t columns : {60U, 80U, 120U}) {
    out_ = {.is_terminal = true, .columns = columns};
    for (const std::string_view flag : {"-q", "-v"}) {
      const std::string shown = Ask({"plan", "show", "plan.md", flag}).out;
      for (const std::string_view line : SplitLines(shown)) {
        if (flag == "-v" && line.find("01-and") != std::string_view::npos) continue;  // one word
        EXPECT_LE(DisplayWidth(line), columns) << line;
      }
    }
  }
  out_ = {};
  EXPECT_NE(Ask({"plan", "show", "plan.md"}).out.find("with-a-long-name/01-and-a-file"),
            std::string::npos)
      << "nothing is cut in a pipe";
}

}  // namespace
}  // namespace sibyl::interface
