// SPDX-License-Identifier: Apache-2.0
#include "base/files/reserved_name.h"

#include <gtest/gtest.h>

#include <string>

namespace sibyl {
namespace {

TEST(ReservedName, IsFoundInEverySpellingThatAFileSystemTakesForIt) {
  for (const std::string name :
       {".git",        ".GIT",       ".Git",       ".git ",      ".git.",
        ".git . .",    "git~1",      "GIT~1",      "git~12",     ".git::$INDEX_ALLOCATION",
        ".g\u200cit",  ".gi\u200dt", "\ufeff.git", ".git\u202e", ".\u206agit",
        ".sibyl",      ".SIBYL",     ".Sibyl",     ".sibyl...",  ".sib\u200eyl",
        ".\u017fibyl", "sibyl~1"}) {
    EXPECT_TRUE(IsReservedName(name)) << name;
    EXPECT_TRUE(HasReservedName("cuda/" + name + "/01-x.md")) << name;
  }
}

TEST(ReservedName, LeavesOtherNamesAlone) {
  for (const std::string name : {"", "git", "sibyl", ".gitignore", ".github", ".gitx", "git~",
                                 "git~a", "x.git", "sibyl.toml", "digit~1", "...", "g\u00efit"}) {
    EXPECT_FALSE(IsReservedName(name)) << name;
  }
  EXPECT_FALSE(HasReservedName("cuda/16-git.md"));
  EXPECT_FALSE(HasReservedName(""));
}

}  // namespace
}  // namespace sibyl
