// SPDX-License-Identifier: Apache-2.0
#include "evidence/origins/permalink.h"

#include <gtest/gtest.h>

namespace sibyl::evidence {
namespace {

constexpr std::string_view kCommit = "03676b051d5a1302c8b17bb6b3325ee38acab914";

SourceCitation At(std::string origin, std::string path, LineRange lines) {
  SourceCitation citation;
  citation.origin = std::move(origin);
  citation.anchor = SourceCitation::Anchor::kCommit;
  citation.anchor_id = *git::ObjectId::FromHex(kCommit);
  citation.path = std::move(path);
  citation.lines = lines;
  return citation;
}

std::string With(std::string_view before, std::string_view after) {
  return std::string(before) + std::string(kCommit) + std::string(after);
}

TEST(Permalink, SpeaksEachForgesDialect) {
  EXPECT_EQ(Permalink(At("https://github.com/o/r.git", "src/a.c", {10, 24})),
            With("https://github.com/o/r/blob/", "/src/a.c#L10-L24"));
  EXPECT_EQ(Permalink(At("https://gitlab.kitware.com/o/r", "src/a.c", {10, 24})),
            With("https://gitlab.kitware.com/o/r/-/blob/", "/src/a.c#L10-24"));
  EXPECT_EQ(Permalink(At("https://codeberg.org/o/r", "a.c", {3, 3})),
            With("https://codeberg.org/o/r/src/commit/", "/a.c#L3"));
  EXPECT_EQ(Permalink(At("https://bitbucket.org/o/r", "a.c", {3, 5})),
            With("https://bitbucket.org/o/r/src/", "/a.c#lines-3:5"));
  EXPECT_EQ(Permalink(At("https://git.sr.ht/~o/r", "a.c", {3, 5})),
            With("https://git.sr.ht/~o/r/tree/", "/item/a.c#L3-5"));
  EXPECT_EQ(Permalink(At("https://example.org/r", "a.c", {3, 5})),
            With("https://example.org/r/blob/", "/a.c#L3-L5"));
}

TEST(Permalink, AsksForMarkdownAsText) {
  EXPECT_EQ(Permalink(At("https://github.com/o/r", "README.md", {1, 2})),
            With("https://github.com/o/r/blob/", "/README.md?plain=1#L1-L2"));
  EXPECT_EQ(Permalink(At("https://github.com/o/r", "README.md", {})),
            With("https://github.com/o/r/blob/", "/README.md"));
}

TEST(Permalink, TurnsSshAddressesIntoPagesAndDropsTokens) {
  EXPECT_EQ(Permalink(At("git@github.com:o/r.git", "a b#.c", {1, 1})),
            With("https://github.com/o/r/blob/", "/a%20b%23.c#L1"));
  EXPECT_EQ(Permalink(At("ssh://git@github.com:22/o/r", "a.c", {1, 1})),
            With("https://github.com/o/r/blob/", "/a.c#L1"));
  EXPECT_EQ(Permalink(At("https://me:secret@github.com/o/r", "a.c", {1, 1})),
            With("https://github.com/o/r/blob/", "/a.c#L1"));
}

TEST(Permalink, IsEmptyForWhatNoBrowserCanShow) {
  EXPECT_EQ(Permalink(At("/srv/repo", "a.c", {1, 1})), "");
  EXPECT_EQ(Permalink(At("../repo", "a.c", {1, 1})), "");
  SourceCitation folder = At("https://github.com/o/r", "a.c", {1, 1});
  folder.anchor = SourceCitation::Anchor::kTree;
  EXPECT_EQ(Permalink(folder), "");
}

TEST(PermalinkParse, IsTheInverseForGitHubAndGitLab) {
  for (const std::string origin : {"https://github.com/o/r", "https://gitlab.com/g/s/r"}) {
    const auto parts = ParsePermalink(Permalink(At(origin, "docs/a b.md", {4, 9})));
    ASSERT_TRUE(parts);
    EXPECT_EQ(parts->origin, origin);
    EXPECT_EQ(parts->revision, kCommit);
    EXPECT_EQ(parts->path, "docs/a b.md");
    EXPECT_EQ(parts->lines, (LineRange{4, 9}));
  }
}

TEST(PermalinkParse, TakesBranchesAndColumnsAndRefusesOtherPages) {
  const auto parts = ParsePermalink("https://github.com/o/r/blob/main/a.c#L10C3-L12C8");
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->revision, "main");
  EXPECT_EQ(parts->lines, (LineRange{10, 12}));
  EXPECT_FALSE(ParsePermalink("https://github.com/o/r/issues/4"));
  EXPECT_FALSE(ParsePermalink("https://github.com/o/r/blob/main"));
  EXPECT_FALSE(ParsePermalink("ftp://github.com/o/r/blob/main/a.c"));
}

TEST(CommitLink, IsThePageOfItsForge) {
  const git::ObjectId id = *git::ObjectId::FromHex("4f2a91c0d5a1302c8b17bb6b3325ee38acab9140");
  const auto link = [&id](const char* origin) { return CommitLink(origin, id); };
  EXPECT_EQ(link("https://github.com/o/r.git"), "https://github.com/o/r/commit/" + id.Hex());
  EXPECT_EQ(link("https://gitlab.com/o/r"), "https://gitlab.com/o/r/-/commit/" + id.Hex());
  EXPECT_EQ(link("https://bitbucket.org/o/r"), "https://bitbucket.org/o/r/commits/" + id.Hex());
  EXPECT_EQ(link("/srv/git/r"), "");
}

}  // namespace
}  // namespace sibyl::evidence
