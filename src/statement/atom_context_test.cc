// SPDX-License-Identifier: Apache-2.0
#include "statement/atom_context.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace sibyl::statement {
namespace {

// How "NAME" is used in the text.
AtomUse Use(std::string_view text, CodeLanguage language = CodeLanguage::kShell) {
  const std::size_t at = text.find("NAME");
  EXPECT_NE(at, std::string_view::npos) << text;
  return UseOf(text, at, at + 4, language);
}

std::string Tool(std::string_view text) { return ToolAt(text, text.find("--flag")); }

bool Comment(std::string_view text, CodeLanguage language) {
  return IsInComment(text, text.find("NAME"), language);
}

TEST(LineAround, CutsTheLineInThree) {
  constexpr std::string_view kText = "one\nset NAME now\ntwo\n";
  const Around around = LineAround(kText, 8, 12);
  EXPECT_EQ(around.before, "set ");
  EXPECT_EQ(around.after, " now");
  EXPECT_TRUE(around.from_line_start);
}

TEST(LineAround, GivesABoundedPieceOfALongLine) {
  const std::string text = std::string(100'000, 'a') + "NAME" + std::string(100'000, 'b');
  const Around around = LineAround(text, 100'000, 100'004);
  EXPECT_LE(around.before.size(), 2048U);
  EXPECT_LE(around.after.size(), 256U);
  EXPECT_FALSE(around.from_line_start);
  EXPECT_TRUE(LineAround(text, 10, 14).from_line_start);
}

TEST(LineAround, HoldsAtTheEndsOfTheText) {
  EXPECT_EQ(LineAround("", 0, 0).before, "");
  EXPECT_EQ(LineAround("NAME", 0, 4).after, "");
  EXPECT_TRUE(LineAround("NAME", 0, 4).from_line_start);
}

TEST(LineAround, StaysInItsLineForAnyText) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    RC_PRE(!text.empty());
    const auto begin = *rc::gen::inRange<std::size_t>(0, text.size());
    const auto end = *rc::gen::inRange<std::size_t>(begin, text.size() + 1);
    const Around around = LineAround(text, begin, end);
    RC_ASSERT(around.before.find('\n') == std::string_view::npos);
    RC_ASSERT(around.after.find('\n') == std::string_view::npos);
    RC_ASSERT(around.before.data() + around.before.size() == text.data() + begin);
  }));
}

TEST(UseOf, TheEnvironmentIsSetOrRead) {
  for (const char* text : {"export NAME=1", "NAME=1 python run.py", "A=1 NAME=2 make", "ENV NAME 1",
                           "unset NAME", "$ NAME=1 make", "env NAME=1 make"}) {
    EXPECT_EQ(Use(text), AtomUse::kEnvironment) << text;
  }
  EXPECT_EQ(Use("x = os.environ[\"NAME\"]", CodeLanguage::kPython), AtomUse::kEnvironment);
  EXPECT_EQ(Use("os.environ.get('NAME')", CodeLanguage::kPython), AtomUse::kEnvironment);
  EXPECT_EQ(Use("getenv(\"NAME\")", CodeLanguage::kCpp), AtomUse::kEnvironment);
  EXPECT_EQ(Use("if($ENV{NAME})", CodeLanguage::kCMake), AtomUse::kEnvironment);
}

TEST(UseOf, ASettingIsGivenAValue) {
  for (const char* text : {"cmake -DNAME=ON ..", "make NAME=1", "cmake -D NAME:BOOL=ON"}) {
    EXPECT_EQ(Use(text), AtomUse::kSetting) << text;
  }
}

TEST(UseOf, ADefinitionMakesTheName) {
  EXPECT_EQ(Use("#define NAME 1", CodeLanguage::kCpp), AtomUse::kDefinition);
  EXPECT_EQ(Use("struct NAME {", CodeLanguage::kCpp), AtomUse::kDefinition);
  EXPECT_EQ(Use("def NAME():", CodeLanguage::kPython), AtomUse::kDefinition);
  EXPECT_EQ(Use("set(NAME ON)", CodeLanguage::kCMake), AtomUse::kDefinition);
  EXPECT_EQ(Use("option( NAME \"x\" ON)", CodeLanguage::kCMake), AtomUse::kDefinition);
  EXPECT_NE(Use("set(NAME ON)", CodeLanguage::kShell), AtomUse::kDefinition);
  EXPECT_EQ(Use("using namespace NAME;", CodeLanguage::kCpp), AtomUse::kMention);
}

TEST(UseOf, ACallHasParenthesesAndTheRestIsAMention) {
  EXPECT_EQ(Use("NAME(x)", CodeLanguage::kCpp), AtomUse::kCall);
  EXPECT_EQ(Use("NAME (x)", CodeLanguage::kCpp), AtomUse::kMention);
  EXPECT_EQ(Use("echo $NAME"), AtomUse::kMention);
  EXPECT_EQ(Use("NAME == 1"), AtomUse::kMention);
  EXPECT_EQ(Use("NAME=="), AtomUse::kMention) << "a comparison";
  EXPECT_EQ(Use("NAME="), AtomUse::kMention) << "nothing is given";
}

TEST(ToolAt, IsTheProgramOfTheCommandLine) {
  EXPECT_EQ(Tool("nvcc a.cu --flag"), "nvcc");
  EXPECT_EQ(Tool("/usr/local/bin/cmake --flag"), "cmake");
  EXPECT_EQ(Tool("sudo env A=1 cmake -B build --flag"), "cmake");
  EXPECT_EQ(Tool("RUN cmake --flag"), "cmake");
  EXPECT_EQ(Tool("true && make | cmake --flag"), "cmake");
}

TEST(ToolAt, GoesOnAfterABackslash) {
  EXPECT_EQ(Tool("nvcc a.cu \\\n  -o b \\\n  --flag"), "nvcc");
  EXPECT_EQ(Tool("nvcc a.cu \\\r\n  --flag"), "nvcc");
  EXPECT_EQ(Tool("nvcc a.cu\n--flag"), "") << "another line";
}

TEST(ToolAt, IsTheModuleOrScriptOfPython) {
  EXPECT_EQ(Tool("python -m torch.distributed.run --flag"), "torch.distributed.run");
  EXPECT_EQ(Tool("python3 setup.py --flag"), "setup.py");
  EXPECT_EQ(Tool("python --flag"), "python");
}

TEST(ToolAt, IsNothingWhereTheTextDoesNotSay) {
  EXPECT_EQ(ToolAt("", 0), "");
  EXPECT_EQ(Tool("--flag"), "");
  EXPECT_EQ(Tool("A=1 --flag"), "");
  EXPECT_EQ(Tool("nvcc " + std::string(10'000, 'a') + " --flag"), "") << "too far away";
}

TEST(IsInComment, KnowsTheMarksOfEachLanguage) {
  EXPECT_TRUE(Comment("x = 1  # NAME", CodeLanguage::kPython));
  EXPECT_TRUE(Comment("# NAME", CodeLanguage::kShell));
  EXPECT_FALSE(Comment("NAME # x", CodeLanguage::kShell));
  EXPECT_FALSE(Comment("a#NAME", CodeLanguage::kShell)) << "part of a word";
  EXPECT_TRUE(Comment("int a; // NAME", CodeLanguage::kCpp));
  EXPECT_TRUE(Comment(" * NAME", CodeLanguage::kCpp));
  EXPECT_TRUE(Comment("/* NAME", CodeLanguage::kCpp));
  EXPECT_FALSE(Comment("#define NAME", CodeLanguage::kNone));
  EXPECT_FALSE(Comment("// x\nNAME", CodeLanguage::kCpp));
}

TEST(AtomContext, AnyTextIsReadWithoutACrash) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    RC_PRE(!text.empty());
    const auto begin = *rc::gen::inRange<std::size_t>(0, text.size());
    for (const CodeLanguage language :
         {CodeLanguage::kShell, CodeLanguage::kCMake, CodeLanguage::kPython, CodeLanguage::kCpp}) {
      (void)UseOf(text, begin, text.size(), language);
      (void)IsInComment(text, begin, language);
    }
    (void)ToolAt(text, begin);
  }));
}

}  // namespace
}  // namespace sibyl::statement
