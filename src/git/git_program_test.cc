// SPDX-License-Identifier: Apache-2.0
#include "git/git_program.h"

#include <gtest/gtest.h>

namespace sibyl::git {
namespace {

TEST(GitProgram, SaysHowFarItIs) {
  EXPECT_EQ(ParseGitProgress("Receiving objects:  45% (450/1000), 1.20 MiB | 2.00 MiB/s"),
            (GitProgress{45, "450/1000", "1.20 MiB | 2.00 MiB/s"}));
  EXPECT_EQ(ParseGitProgress("Receiving objects: 100% (3/3), done."),
            (GitProgress{100, "3/3", ""}));
  EXPECT_EQ(ParseGitProgress("Receiving objects: 100% (9/9), 1.2 KiB | 1.2 KiB/s, done."),
            (GitProgress{100, "9/9", "1.2 KiB | 1.2 KiB/s"}));
  EXPECT_FALSE(ParseGitProgress("Resolving deltas: 10% (1/10)"));
  EXPECT_FALSE(ParseGitProgress("Receiving objects: many"));
  EXPECT_FALSE(ParseGitProgress(""));
}

TEST(GitProgram, ReadsListsOfRefs) {
  const std::vector<ListedRef> refs =
      ParseRefs(std::string(40, 'a') + "\tHEAD\nwarning: x\n" + std::string(40, 'b') +
                "\trefs/tags/v1^{}\nshort\trefs/heads/x\n");
  ASSERT_EQ(refs.size(), 2U);
  EXPECT_EQ(refs[1].name, "refs/tags/v1^{}");
}

TEST(GitProgram, ProgressOutOfRangeIsNone) {
  for (const char* line :
       {"Receiving objects: 101% (1/1)", "Receiving objects: -1% (1/1)", "Receiving objects: 5%",
        "Receiving objects: 5% (1/1", "receiving objects: 5% (1/1)",
        "x Receiving objects: 5% (1/1)", "Receiving objects: 99999999999999999999% (1/1)"}) {
    EXPECT_FALSE(ParseGitProgress(line)) << line;
  }
}

TEST(GitProgram, AListMayBeEmptyOrOdd) {
  EXPECT_TRUE(ParseRefs("").empty());
  EXPECT_TRUE(ParseRefs("\n\t\n" + std::string(40, 'A') + "\tHEAD\n").empty());
  const std::vector<ListedRef> refs = ParseRefs(std::string(40, 'a') + "\trefs/heads/a\tb");
  ASSERT_EQ(refs.size(), 1U);
  EXPECT_EQ(refs[0].name, "refs/heads/a\tb");
}

}  // namespace
}  // namespace sibyl::git
