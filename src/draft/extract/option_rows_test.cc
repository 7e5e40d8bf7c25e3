// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/option_rows.h"

#include <gtest/gtest.h>

namespace sibyl::draft {
namespace {

// "name|value|meaning|1-2"
std::vector<std::string> Rows(std::string_view language, std::string_view text) {
  std::vector<std::string> rows;
  for (const OptionRow& row : ReadOptions(language, text)) {
    rows.push_back(row.name + "|" + row.value + "|" + row.meaning + "|" +
                   std::to_string(row.first_line) + "-" + std::to_string(row.last_line));
  }
  return rows;
}

using Strings = std::vector<std::string>;

TEST(Options, OfCMakeHaveTheirDefaultAndMeaning) {
  EXPECT_EQ(
      Rows("cmake",
           "option(USE_PROF \"Use the profiler\" ON)\n"
           "cmake_dependent_option(\n"
           "  USE_PROF_SO \"Use the shared library\" OFF\n"
           "  \"USE_PROF\" OFF)\n"
           "set(PROF_ROOT /usr CACHE PATH \"Where it is\")\n"
           "set(not_cached ON)\n"),
      (Strings{"USE_PROF|ON|Use the profiler|1-1", "USE_PROF_SO|OFF|Use the shared library|2-4",
               "PROF_ROOT|/usr|Where it is|5-5"}));
}

TEST(Options, OfPythonProgramsAreArgumentsAndVariables) {
  EXPECT_EQ(Rows("python",
                 "parser.add_argument('-b', '--batch-size', type=int, default=32,\n"
                 "                    help='samples on '\n"
                 "                         'each GPU')\n"
                 "jobs = os.environ.get('MAX_JOBS', '4')\n"
                 "#   USE_CUDA=0\n"
                 "#     disables the CUDA build\n"),
            (Strings{"--batch-size|32|samples on each GPU|1-3", "MAX_JOBS|4||4-4",
                     "USE_CUDA=0||disables the CUDA build|5-6"}));
}

TEST(Options, OfDockerfilesShellsAndCode) {
  EXPECT_EQ(Rows("dockerfile", "ARG CUDA_VERSION=12.4\nENV PATH /opt/bin\nRUN true\n"),
            (Strings{"CUDA_VERSION|12.4||1-1", "PATH|/opt/bin||2-2"}));
  EXPECT_EQ(Rows("shell", "export TORCH_CUDA_ARCH_LIST=\"7.0 8.0\"\n"),
            (Strings{"TORCH_CUDA_ARCH_LIST|\"7.0 8.0\"||1-1"}));
  EXPECT_EQ(Rows("c++", "  if (std::getenv(\"PROF_OFF\")) return;\n"), (Strings{"PROF_OFF|||1-1"}));
}

TEST(Options, DoNotGuessAtWhatIsTorn) {
  EXPECT_TRUE(Rows("cmake", "option(USE_PROF \"Use the").empty());
  EXPECT_TRUE(Rows("python", "parser.add_argument('--x'").empty());
  EXPECT_TRUE(Rows("rust", "option(A \"b\" ON)").empty());
}

TEST(Options, ADeclaredNameStandsOnce) {
  EXPECT_EQ(Rows("cmake", "option(A \"first\" ON)\noption(A \"second\" OFF)\n"),
            Strings{"A|ON|first|1-1"});
}

TEST(Options, OfCMakeAreOffUnlessTheySayOtherwise) {
  EXPECT_EQ(Rows("cmake", "OPTION(A \"b c\")\n"), Strings{"A|OFF|b c|1-1"});
  EXPECT_TRUE(Rows("cmake", "option(A b ON)\n").empty()) << "a meaning is a string";
  EXPECT_TRUE(Rows("cmake", "set(A ON PARENT_SCOPE)\n").empty());
}

TEST(Options, BracketsInStringsDoNotEndACall) {
  EXPECT_EQ(Rows("cmake", "option(A \"one (of two)\n  or more\" ON)\n"),
            Strings{"A|ON|one (of two) or more|1-2"});
}

TEST(Options, AValueThatIsTooLongIsNoDefault) {
  EXPECT_TRUE(Rows("dockerfile", "ARG A=" + std::string(100, 'x') + "\n").empty());
  EXPECT_EQ(Rows("cmake", "option(A \"" + std::string(300, 'x') + "\" ON)\n"), Strings{"A|ON||1-1"})
      << "without the meaning";
}

TEST(Options, OfPythonHaveTheirLongestName) {
  EXPECT_EQ(Rows("python", "p.add_argument('--n', '--number', default='a b', help=\"x\")\n"),
            Strings{"--number||x|1-1"})
      << "half a default is none";
  EXPECT_TRUE(Rows("python", "p.add_argument('positional', help='x')\n").empty());
}

TEST(Options, OfTheEnvironmentAreNamesInCapitals) {
  EXPECT_TRUE(Rows("python", "os.environ.get(name, '4')\n").empty());
  EXPECT_TRUE(Rows("python", "os.environ.get('lower')\n").empty());
  EXPECT_TRUE(Rows("shell", "TORCH_HOME=/x\n").empty()) << "not exported";
  EXPECT_TRUE(Rows("shell", "export A_B=\"half\n").empty());
}

}  // namespace
}  // namespace sibyl::draft
