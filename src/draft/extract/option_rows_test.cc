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

}  // namespace
}  // namespace sibyl::draft
