// SPDX-License-Identifier: Apache-2.0
#include "interface/cli/answer.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/json.h"
#include "base/strings.h"
#include "base/terminal.h"
#include "base/utf8.h"

namespace sibyl::interface {
namespace {

class AnswerTest : public ::testing::Test {
 protected:
  CommandAnswer Ask(const std::vector<std::string_view>& words) {
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
  EXPECT_EQ(ExitCode(ErrorKind::kUnavailable, "worker"), 75);
  EXPECT_EQ(ExitCode(ErrorKind::kUsage, "worker"), 2);
}

TEST_F(AnswerTest, ShowsHelpOnStderrWhenNothingWasAsked) {
  const CommandAnswer answer = Ask({});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_EQ(answer.out, "");
  EXPECT_NE(answer.err.find("usage: sibyl"), std::string::npos);
}

TEST_F(AnswerTest, GivesJsonAVersionAndAnOperation) {
  Write("plan.md", "# Plan\n\n## PART 1: Create a/01-b.md\n");
  const CommandAnswer answer = Ask({"plan", "show", "--json", "plan.md"});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(answer.err, "");
  const auto json = ParseJson(answer.out);
  ASSERT_TRUE(json.ok());
  EXPECT_EQ((*json)["version"], 1);
  EXPECT_EQ((*json)["operation"], "plan show");
  EXPECT_EQ((*json)["title"], "Plan");
  EXPECT_TRUE((*json)["findings"].is_array());
}

// Names, titles and messages cannot drive a terminal, also when a pipe is in between.
TEST_F(AnswerTest, NoControlCharacterOfANameOrTitleIsPrinted) {
  const std::string evil = "x\x1b]0;owned\x07\u009b31m\x7f\u202e";
  Write("sibyl.toml", "[[source]]\nname = \"s\"\nfolder = \"docs\"\n");
  ASSERT_TRUE(CreateFolders(folder_.path() / "docs").ok());
  Write("docs/" + evil + ".md", "# " + evil + "\n\nThe gadget has nine lives.\n");
  Write(evil + ".md", "# " + evil + "\n\n## PART 1: Create a/01-" + evil +
                          ".md\n\n1. **Search**: " + evil + "\n\n### " + evil + "\n\n- " + evil +
                          "\n");
  Write("p.md", "# P\n\n## PART 1: " + evil + "\n\nCreate a/01-b.md\n");
  const std::string plan = evil + ".md";
  const std::string option = "--" + evil;
  const std::string fresh = evil + "/n.md";
  const std::string place = "s:" + evil + ".md:3";
  const std::vector<std::vector<std::string_view>> kCommands = {{"source", "sync"},
                                                                {"source", "list", "-v"},
                                                                {"search", "gadget"},
                                                                {"ask", "gadget lives"},
                                                                {"search", "--regex", "gadget"},
                                                                {"plan", "show", "-v", plan},
                                                                {"plan", "check", plan},
                                                                {"plan", "sources", plan},
                                                                {"plan", "status", plan},
                                                                {"plan", "show", "-v", "p.md"},
                                                                {"plan", "status", "p.md"},
                                                                {"expand", "--dry-run", "p.md"},
                                                                {"expand", "p.md"},
                                                                {"status"},
                                                                {"audit", plan},
                                                                {"verify"},
                                                                {"refresh"},
                                                                {"inspect", plan},
                                                                {"dump", plan},
                                                                {"plan", "show", evil},
                                                                {evil},
                                                                {"search", option, "x"},
                                                                {"source", "remove", evil},
                                                                {"init", evil},
                                                                {"plan", "new", fresh},
                                                                {"trust"},
                                                                {"cite", place},
                                                                {"part", "claim", "p.md"}};
  for (std::vector<std::string_view> words : kCommands) {
    for (const bool is_json : {false, true}) {
      if (is_json) words.emplace_back("--json");
      const CommandAnswer answer = Ask(words);
      const std::string all = answer.out + answer.err;
      for (std::string_view rest = all; !rest.empty();) {
        const Utf8Character next = DecodeUtf8(rest);
        const std::string_view bytes = rest.substr(0, next.bytes);
        ASSERT_TRUE(bytes == "\n" || Harmless(bytes) == bytes)
            << words[0] << ' ' << words.back() << ": " << Harmless(all);
        rest.remove_prefix(next.bytes);
      }
      EXPECT_TRUE(!is_json || ParseJson(answer.out).ok()) << words[0] << answer.out;
    }
  }
}

// Nor can a report for another program contain one, or a command of a CI system.
TEST_F(AnswerTest, ReportsOfHostileDocumentsAreHarmless) {
  const std::string evil = "x\x1b]0;owned\x07\u009b31m\x7f\u202e<&\"'>]]>,%0A`";
  Write("sibyl.toml", "[[source]]\nname = \"s\"\nfolder = \"docs\"\n");
  ASSERT_TRUE(CreateFolders(folder_.path() / "docs").ok());
  Write("docs/gadget.md", "# Gadget\n\nThe gadget has nine lives.\n");
  Ask({"source", "sync"});
  const std::string page = evil + ".md";
  Write(page, "# " + evil + "\n\n::error::owned `gadget.md` says: \"The gadget has " + evil +
                  " lives.\"\n\n::stop-commands::x ##[add-mask]y\n\n## PART 1: " + evil + "\n");
  for (const std::vector<std::string_view>& operation :
       {std::vector<std::string_view>{"audit", page},
        {"plan", "check", page},
        {"verify"},
        {"inspect", page},
        {"doctor"}}) {
    for (const std::string_view format :
         {"--sarif", "--junit", "--gitlab", "--github", "--markdown", "--badge"}) {
      const bool is_audit = operation[0] == "audit";
      if (!is_audit && (format == "--markdown" || format == "--badge")) continue;
      std::vector<std::string_view> words = operation;
      words.push_back(format);
      SCOPED_TRACE(std::string(operation[0]) + ' ' + std::string(format));
      const CommandAnswer answer = Ask(words);
      EXPECT_TRUE(answer.exit_code < 2 || answer.out.empty());
      for (const std::string_view line : SplitLines(answer.out)) {
        EXPECT_EQ(Harmless(line), line);
        EXPECT_TRUE(format == "--github" || !Trim(line).starts_with("::")) << line;
        EXPECT_TRUE(format != "--github" || line.starts_with("::")) << line;
      }
      if (format == "--sarif" || format == "--gitlab") {
        EXPECT_TRUE(answer.out.empty() || ParseJson(answer.out).ok());
      }
      EXPECT_TRUE(!is_audit || !answer.out.empty()) << answer.err;
    }
  }
}

TEST_F(AnswerTest, QuotedBytesOfASourceAreAsTheyAreInAPipe) {
  Write("sibyl.toml", "[[source]]\nname = \"s\"\nfolder = \"docs\"\n");
  ASSERT_TRUE(CreateFolders(folder_.path() / "docs").ok());
  Write("docs/a.md", "one\x1b[2Jtwo\n");
  Ask({"source", "sync"});
  EXPECT_NE(Ask({"cite", "s:a.md:1"}).out.find("one\x1b[2Jtwo\n"), std::string::npos);
  EXPECT_EQ(Ask({"cite", "s:a.md:1"}).err, "");
}

TEST_F(AnswerTest, PeopleAreToldTheCommandAndAgentsTheTool) {
  Write("sibyl.toml", "");
  Write("p.md", "# P\n\n## PART 1: Create a/01-b.md\n\n### One\n\n- a point\n");
  const CommandAnswer shown = Ask({"plan", "status", "p.md"});
  EXPECT_NE(shown.err.find("next: sibyl part claim p.md\n"), std::string::npos) << shown.err;
  const auto json = ParseJson(Ask({"plan", "status", "p.md", "--json"}).out);
  ASSERT_TRUE(json.ok());
  EXPECT_EQ((*json)["next"], "claim_part");
}

TEST_F(AnswerTest, GivesErrorsInJsonTooEvenForNonsense) {
  for (const std::vector<std::string_view>& words :
       {std::vector<std::string_view>{"plan", "show", "no.md", "--json"},
        std::vector<std::string_view>{"nonsense", "--json"}}) {
    const CommandAnswer answer = Ask(words);
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
  const CommandAnswer quiet = Ask({"plan", "new", "x", "-o", "b.md", "-q"});
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
