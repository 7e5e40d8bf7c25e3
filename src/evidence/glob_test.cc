// SPDX-License-Identifier: Apache-2.0
#include "evidence/glob.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace sibyl::evidence {
namespace {

TEST(Glob, MatchesAsGitignoreDoes) {
  EXPECT_TRUE(MatchesGlob("*.md", "a/b/README.md"));
  EXPECT_FALSE(MatchesGlob("*.md", "a/b/README.mdx"));
  EXPECT_TRUE(MatchesGlob("third_party", "x/third_party/y/z.c"));
  EXPECT_TRUE(MatchesGlob("third_party/", "third_party/y/z.c"));
  EXPECT_FALSE(MatchesGlob("/docs", "x/docs/a.md"));
  EXPECT_TRUE(MatchesGlob("/docs", "docs/a.md"));
  EXPECT_TRUE(MatchesGlob("docs/*.md", "docs/a.md"));
  EXPECT_FALSE(MatchesGlob("docs/*.md", "docs/b/a.md"));
  EXPECT_FALSE(MatchesGlob("docs/*.md", "x/docs/a.md"));
}

TEST(Glob, DoubleStarCrossesFolders) {
  EXPECT_TRUE(MatchesGlob("**/*.md", "a.md"));
  EXPECT_TRUE(MatchesGlob("**/*.md", "x/y/a.md"));
  EXPECT_TRUE(MatchesGlob("docs/**", "docs/a/b.c"));
  EXPECT_TRUE(MatchesGlob("docs/**/test/*.c", "docs/test/a.c"));
  EXPECT_TRUE(MatchesGlob("docs/**/test/*.c", "docs/x/y/test/a.c"));
  EXPECT_FALSE(MatchesGlob("docs/**/test/*.c", "docs/x/ytest/a.c"));
  EXPECT_TRUE(MatchesGlob("a/**/b/**/c", "a/x/b/c/b/y/c"));
  EXPECT_TRUE(MatchesGlob("**", "anything/at/all"));
}

TEST(Glob, KnowsSetsAndBackslashes) {
  EXPECT_TRUE(MatchesGlob("sm_[89]0.cu", "src/sm_90.cu"));
  EXPECT_FALSE(MatchesGlob("sm_[!89]0.cu", "src/sm_90.cu"));
  EXPECT_TRUE(MatchesGlob("[a-c]?", "bz"));
  EXPECT_TRUE(MatchesGlob("a\\*", "a*"));
  EXPECT_FALSE(MatchesGlob("a\\*", "ab"));
  EXPECT_TRUE(MatchesGlob("[x", "[x"));
  EXPECT_FALSE(MatchesGlob("a[/]b", "a/b"));
}

TEST(Glob, IsNotSlowWhateverThePattern) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  pattern += "b";
  const std::string path(20000, 'a');
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(MatchesGlob(pattern, path));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

TEST(Glob, ExcludeWinsOverInclude) {
  EXPECT_TRUE(PassesGlobs({}, {}, "a.c"));
  EXPECT_TRUE(PassesGlobs({"*.c"}, {}, "a.c"));
  EXPECT_FALSE(PassesGlobs({"*.md"}, {}, "a.c"));
  EXPECT_FALSE(PassesGlobs({"*.c"}, {"a.*"}, "a.c"));
}

}  // namespace
}  // namespace sibyl::evidence
