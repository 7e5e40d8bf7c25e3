// SPDX-License-Identifier: Apache-2.0
#include "interface/cli/command_line.h"

#include <gtest/gtest.h>

#include <vector>

namespace sibyl::interface {
namespace {

Result<CommandLine> Parse(const std::vector<std::string_view>& words) {
  return ParseCommandLine(words);
}

std::string ErrorOf(const std::vector<std::string_view>& words) {
  const auto line = Parse(words);
  return line.ok() ? "" : line.error().message;
}

TEST(CommandLine, TakesOptionsInEveryForm) {
  const std::vector<std::vector<std::string_view>> forms = {
      {"plan", "new", "x", "--output", "f.md"}, {"plan", "new", "x", "--output=f.md"},
      {"plan", "new", "x", "-o", "f.md"},       {"plan", "new", "x", "-of.md"},
      {"plan", "new", "-o", "f.md", "x"},       {"plan", "new", "-qof.md", "--", "x"},
  };
  for (const auto& words : forms) {
    const auto line = Parse(words);
    ASSERT_TRUE(line.ok()) << line.error().message;
    EXPECT_EQ(line->command->name, "plan new");
    EXPECT_EQ(line->arguments.Text("output"), "f.md");
    EXPECT_EQ(line->arguments.Text("topic"), "x");
  }
}

TEST(CommandLine, TakesGlobalOptionsOnBothSidesOfTheOperation) {
  for (const std::vector<std::string_view>& words :
       {std::vector<std::string_view>{"-C", "d", "--json", "plan", "show", "x"},
        std::vector<std::string_view>{"plan", "show", "x", "--oracle=d", "--json"}}) {
    const auto line = Parse(words);
    ASSERT_TRUE(line.ok()) << line.error().message;
    EXPECT_EQ(line->globals.Text("oracle"), "d");
    EXPECT_TRUE(line->globals.Has("json"));
  }
}

TEST(CommandLine, TakesEverythingBehindTwoDashesAsItIs) {
  const auto line = Parse({"plan", "show", "--", "--json"});
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(line->arguments.Text("plan"), "--json");
  EXPECT_FALSE(line->globals.Has("json"));
}

TEST(CommandLine, LetsTheLastOfTwoOptionsCount) {
  const auto line = Parse({"--color=always", "plan", "show", "x", "--color=never"});
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(line->globals.Text("color"), "never");
}

TEST(CommandLine, GathersRepeatedArguments) {
  const auto line = Parse({"plan", "check", "a", "b", "-q", "c"});
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(line->arguments.All("plan"), (std::vector<std::string>{"a", "b", "c"}));
}

// People paste flags of compilers.
TEST(CommandLine, TakesWordsThatBeginWithADashIntoAQuestion) {
  const auto line = Parse({"ask", "what", "is", "-gencode", "--use_fast_math", "-q", "for"});
  ASSERT_TRUE(line.ok()) << line.error().message;
  EXPECT_EQ(line->arguments.Text("question"), "what is -gencode --use_fast_math for");
  EXPECT_TRUE(line->globals.Has("quiet"));
  EXPECT_EQ(ErrorOf({"ask", "-gencode"}), "unknown option '-g'");
  EXPECT_EQ(ErrorOf({"ask", "what", "--sorce", "x"}),
            "unknown option '--sorce'; did you mean '--source'?");
}

TEST(CommandLine, NamesTheNearestOperationAndOption) {
  EXPECT_EQ(ErrorOf({"plan", "shwo", "x"}),
            "unknown operation 'plan shwo'; did you mean 'plan show'?");
  EXPECT_EQ(ErrorOf({"plna", "show", "x"}), "unknown operation 'plna'; did you mean 'plan show'?");
  EXPECT_EQ(ErrorOf({"hepl"}), "unknown operation 'hepl'; did you mean 'help'?");
  EXPECT_EQ(ErrorOf({"plan", "show", "x", "--verbos"}),
            "unknown option '--verbos'; did you mean '--verbose'?");
  EXPECT_EQ(ErrorOf({"plan", "show", "x", "-z"}), "unknown option '-z'");
  EXPECT_EQ(ErrorOf({"completions", "bsh"}), "invalid value 'bsh' for SHELL; did you mean 'bash'?");
}

TEST(CommandLine, RefusesWhatMakesNoSense) {
  EXPECT_EQ(ErrorOf({"plan"}),
            "missing operation after 'plan': one of show, check, new, sources, status, finalize");
  EXPECT_EQ(ErrorOf({"--json"}), "missing operation");
  EXPECT_EQ(ErrorOf({"plan", "show"}), "missing PLAN: the plan, or a folder with an ingestion.md");
  EXPECT_EQ(ErrorOf({"plan", "show", "a", "b"}), "unexpected argument 'b'");
  EXPECT_EQ(ErrorOf({"plan", "show", "a", "--json=yes"}), "--json takes no value");
  EXPECT_EQ(ErrorOf({"plan", "new", "a", "-o"}), "-o needs a value: FILE");
  EXPECT_EQ(ErrorOf({"--sarif", "plan", "show", "a"}), "'plan show' has no SARIF output");
  EXPECT_EQ(ErrorOf({"plan", "check", "a", "--json", "--sarif"}),
            "--json and --sarif cannot be combined");
  EXPECT_EQ(ErrorOf({"audit", "a", "--badge", "--junit"}),
            "--junit and --badge cannot be combined");
  EXPECT_EQ(ErrorOf({"audit", "a", "--badge", "--markdown"}),
            "--markdown and --badge cannot be combined");
  EXPECT_EQ(ErrorOf({"plan", "show", "a", "--gitlab"}), "'plan show' has no GitLab output");
}

TEST(CommandLine, GivesHelpToWhoeverAsksWhateverElseIsWrong) {
  for (const std::vector<std::string_view>& words :
       {std::vector<std::string_view>{"plan", "show", "-h"},
        std::vector<std::string_view>{"plan", "show", "x.md", "--nonsense", "--help"},
        std::vector<std::string_view>{"-C", "nowhere", "plan", "show", "-h"}}) {
    const auto line = Parse(words);
    ASSERT_TRUE(line.ok()) << line.error().message;
    EXPECT_EQ(line->command->name, "help");
    EXPECT_EQ(line->arguments.All("operation"), (std::vector<std::string>{"plan", "show"}));
  }
  const auto group = Parse({"plan", "-h"});
  ASSERT_TRUE(group.ok());
  EXPECT_EQ(group->arguments.All("operation"), (std::vector<std::string>{"plan"}));
}

TEST(CommandLine, AnswersVersionAsACommandAndAsAnOption) {
  for (const std::string_view word : {"version", "--version", "-V"}) {
    const auto line = Parse({word});
    ASSERT_TRUE(line.ok());
    EXPECT_EQ(line->command->name, "version");
  }
}

TEST(CommandLine, SeesThatJsonIsWantedEvenInNonsense) {
  const std::vector<std::string_view> nonsense = {"plna", "--json"};
  EXPECT_TRUE(WantsJson(nonsense));
  const std::vector<std::string_view> a_file = {"plan", "show", "--", "--json"};
  EXPECT_FALSE(WantsJson(a_file));
}

}  // namespace
}  // namespace sibyl::interface
