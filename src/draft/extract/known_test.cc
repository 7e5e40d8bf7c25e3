// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/known.h"

#include "draft/test_passages.h"

namespace sibyl::draft {
namespace {

constexpr std::string_view kCachePage =
    "# Gadget cache\n\n"
    "## 1. Sizes\n\n"
    "### 1.1 Cache of compiled kernels\n"
    "The cache of compiled kernels holds 48 KB.[^p1-1]\n\n"
    "### 1.2 Cache eviction policy\n"
    "The eviction policy of the cache is not written down.\n\n"
    "## Sources\n\n"
    "[^p1-1]: gadget cache.md#L3 <!-- x -->\n";

class KnownTest : public PassageTest {
 protected:
  KnownTest() { Add("a.md", "markdown", "Nothing of interest.\n"); }

  KnownSections Read(std::string text, std::string_view leave_out = {}) {
    return KnownSections({{.path = "gad/01-cache.md", .text = std::move(text)}}, leave_out,
                         reader());
  }
  PointTerms Terms(std::string_view point) { return reader().TermsOf(point, {}); }
  TermReader& reader() {
    if (!reader_) reader_.emplace(searcher());
    return *reader_;
  }

 private:
  std::optional<TermReader> reader_;
};

TEST_F(KnownTest, ACitedSectionThatNamesThePointCoversIt) {
  const KnownSections known = Read(std::string(kCachePage));
  const KnownSection* section = known.Covering(Terms("Cache of compiled kernels"));
  ASSERT_NE(section, nullptr);
  EXPECT_EQ(section->path, "gad/01-cache.md");
  EXPECT_EQ(section->title, "Cache of compiled kernels");
  EXPECT_EQ(section->anchor, "11-cache-of-compiled-kernels");
}

TEST_F(KnownTest, WhatIsNotCitedCoversNothing) {
  const KnownSections known = Read(std::string(kCachePage));
  EXPECT_EQ(known.Covering(Terms("Cache eviction policy")), nullptr);
  EXPECT_FALSE(known.Near(Terms("Cache eviction policy"), 3).empty()) << "but it is near";
}

TEST_F(KnownTest, AMentionInTheTextIsNotEnough) {
  const KnownSections known = Read("# Gadgets\n\n## Loading\nThe pool of threads is warm.[^1]\n");
  EXPECT_EQ(known.Covering(Terms("pool of threads")), nullptr);
}

TEST_F(KnownTest, TheFileThatIsWrittenIsNoKnowledge) {
  const KnownSections known = Read(std::string(kCachePage), "gad/01-cache.md");
  EXPECT_EQ(known.Covering(Terms("Cache of compiled kernels")), nullptr);
  EXPECT_TRUE(known.Near(Terms("Cache of compiled kernels"), 3).empty());
}

TEST_F(KnownTest, HeadingsInCodeAreCode) {
  const KnownSections known =
      Read("# Gadgets\n\n## Script\n```sh\n# cache of compiled kernels[^1]\n```\n");
  EXPECT_EQ(known.Covering(Terms("cache of compiled kernels")), nullptr);
}

TEST_F(KnownTest, SectionsAboutTheFileAreNotKnowledge) {
  const KnownSections known = Read("# Gadgets\n\n## Sources\n[^1]: cache of compiled kernels\n");
  EXPECT_TRUE(known.Near(Terms("sources"), 3).empty());
}

TEST_F(KnownTest, AHeadingKeepsADigitThatIsNoNumber) {
  const KnownSections known = Read("# Gadgets\n\n## 3D textures\nA 3D texture is a cube.[^1]\n");
  const KnownSection* section = known.Covering(Terms("3D textures"));
  ASSERT_NE(section, nullptr);
  EXPECT_EQ(section->title, "3D textures");
}

TEST_F(KnownTest, NearComesBestFirstAndNoMoreThanAsked) {
  const KnownSections known =
      Read("# Gadgets\n\n## Cache\nThe cache of kernels.\n\n## Cache of kernels\nIt is small.\n");
  const auto near = known.Near(Terms("cache of kernels"), 5);
  ASSERT_EQ(near.size(), 2U);
  EXPECT_EQ(near[0]->title, "Cache of kernels");
  EXPECT_EQ(known.Near(Terms("cache of kernels"), 1).size(), 1U);
  EXPECT_TRUE(known.Near(Terms("cache of kernels"), 0).empty());
}

TEST(RelativeLinks, GoFromFileToFile) {
  EXPECT_EQ(RelativeLink("cuda/16-cupti.md", "cuda/02-a.md"), "02-a.md");
  EXPECT_EQ(RelativeLink("cuda/16-cupti.md", "gad/02-a.md"), "../gad/02-a.md");
  EXPECT_EQ(RelativeLink("a/b/c.md", "d.md"), "../../d.md");
  EXPECT_EQ(RelativeLink("c.md", "a/d.md"), "a/d.md");
}

}  // namespace
}  // namespace sibyl::draft
