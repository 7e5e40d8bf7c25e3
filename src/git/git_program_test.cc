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

}  // namespace
}  // namespace sibyl::git
