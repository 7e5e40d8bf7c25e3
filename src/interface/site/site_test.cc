// SPDX-License-Identifier: Apache-2.0
#include "interface/site/site.h"

#include <gtest/gtest.h>

#include "engine/agent/agent_operations.h"
#include "engine/lab/lab_operations.h"
#include "engine/test_operations.h"
#include "interface/room/links.h"

namespace sibyl::interface {
namespace {

class SiteTest : public engine::OperationTest {
 protected:
  SiteTest() {
    MakeOracle();
    Write("handbook/cache.md", "# Cache\n\nThe cache keeps sixteen gadgets.\n");
    Done(engine::kSourceAdd, {{"origin", (folder_.path() / "handbook").string()}});
    const Json cited = Answer(engine::kCite, {{"target", "handbook:cache.md:3"}});
    Write("oracle/gad/01-cache.md",
          "# The cache\n\nThe cache keeps sixteen gadgets.[^1]\n\n## Notes\n\nSee "
          "[the other](02-other.md#part).\n\n## Sources\n\n" +
              cited.value("footnote", "") + "\n");
    Write("oracle/gad/02-other.md", "# Other\n\n<script>alert(1)</script>\n\n## Part\n\nText.\n");
  }

  Site Made(SiteReceipts receipts = SiteReceipts::kExcerpts) {
    Result<Site> site = MakeSite(Here(), {.receipts = receipts});
    EXPECT_TRUE(site.ok()) << site.error().message;
    return site.ok() ? *std::move(site) : Site();
  }

  static std::string TextOf(const Site& site, std::string_view path) {
    for (const SiteFile& file : site.files) {
      if (file.path == path) return file.bytes;
    }
    ADD_FAILURE() << "no " << path;
    return {};
  }
};

TEST_F(SiteTest, HasEveryPageItsReceiptsAndWhatTheyNeed) {
  const Site site = Made();
  std::vector<std::string> paths;
  for (const SiteFile& file : site.files) paths.push_back(file.path);
  EXPECT_EQ(paths, (std::vector<std::string>{".nojekyll", "index.html", "page/SKILL.html",
                                             "page/gad/01-cache.html", "page/gad/02-other.html",
                                             "receipt/gad/01-cache.html", "search.html",
                                             "static/icon.svg", "static/room.css", "static/room.js",
                                             "static/search-index.js", "static/search.js"}));
  EXPECT_EQ(site.pages, 3U);
  EXPECT_EQ(site.receipts, 1U);
}

TEST_F(SiteTest, LinksAreRelative) {
  const std::string page = TextOf(Made(), "page/gad/01-cache.html");
  EXPECT_TRUE(Contains(page, "href=\"../../static/room.css\""));
  EXPECT_TRUE(Contains(page, "href=\"../../page/gad/02-other.html#part\""));
  EXPECT_TRUE(Contains(page, "href=\"../../receipt/gad/01-cache.html#s1\""));
  EXPECT_FALSE(Contains(page, "=\"/"));
  EXPECT_TRUE(Contains(TextOf(Made(), "receipt/gad/01-cache.html"), "id=\"s1\""));
}

TEST_F(SiteTest, ReceiptsHaveTheirLinesOrOnlyTheirPlace) {
  constexpr std::string_view kLines = "class=\"lines\"";
  const Site excerpts = Made();
  EXPECT_TRUE(Contains(TextOf(excerpts, "page/gad/01-cache.html"), kLines));
  EXPECT_TRUE(Contains(TextOf(excerpts, "receipt/gad/01-cache.html"), kLines));
  const Site links = Made(SiteReceipts::kLinks);
  for (const SiteFile& file : links.files) {
    if (!file.path.ends_with(".html")) continue;
    EXPECT_FALSE(Contains(file.bytes, kLines)) << file.path;
  }
  EXPECT_TRUE(Contains(TextOf(links, "receipt/gad/01-cache.html"), "swh:1:cnt:"));
}

TEST_F(SiteTest, TheSameOracleGivesTheSameBytes) {
  const Site one = Made();
  const Site two = Made();
  ASSERT_EQ(one.files.size(), two.files.size());
  for (std::size_t i = 0; i < one.files.size(); ++i) {
    EXPECT_EQ(one.files[i].bytes, two.files[i].bytes) << one.files[i].path;
  }
}

// Issue 22: a site left out what was measured.
TEST_F(SiteTest, HasTheRunsOfLabsAndThePlotsOfReceipts) {
  Write("printed.jsonl",
        R"({"lab":"copy","variant":"wide","params":{"bytes":64},"metric":"rate","value":2000,)"
        R"("unit":"GB/s","floor":4000,"x_floor":2,"samples":9,"noise":0.001,"max_rel_err":0,)"
        R"("device":"NVIDIA H200","driver":"580.1","toolkit":"13.0"})"
        "\n");
  Done(engine::kLabKeep,
       {{"file", (folder_.path() / "printed.jsonl").string()}, {"measured", "2026-11-15"}});
  const Json runs = Answer(engine::kLabResults, {});
  const std::string run = runs["runs"][0]["run"].get<std::string>();
  const Json shown = Answer(engine::kLabResults, {{"run", run}});
  const Json cited =
      Answer(engine::kCite, {{"target", shown["measurements"][0]["citation"].get<std::string>()}});
  Write("oracle/gad/03-copy.md",
        "# Copies\n\nThe wide copy has a rate of 2000 GB/s.[^1]\n\n## "
        "Sources\n\n" +
            cited.value("footnote", "") + "\n");
  const Site site = Made();
  EXPECT_TRUE(Contains(TextOf(site, "labs/index.html"), "href=\"../labs/" + run + ".html\""));
  EXPECT_TRUE(Contains(TextOf(site, "labs/" + run + ".html"), "50 % of the ceiling"));
  EXPECT_TRUE(Contains(TextOf(site, "labs/" + run + ".svg"), "<svg"));
  const std::string page = TextOf(site, "page/gad/03-copy.html");
  const std::string plot = LinkStyle::LabPlotFile(run, "wide/bytes=64/rate");
  EXPECT_TRUE(Contains(page, "src=\"../../" + plot + "\"")) << page;
  EXPECT_TRUE(Contains(page, "4000 GB/s (50 % of the ceiling)")) << page;
  EXPECT_TRUE(Contains(TextOf(site, plot), "class=\"m\""));
  EXPECT_TRUE(Contains(TextOf(site, "index.html"), "href=\"labs/index.html\""));
}

// Issue 22: a page linked to the plan that it was written by, which is not in the site.
TEST_F(SiteTest, EveryLinkBetweenPagesLeadsToAFile) {
  Write("oracle/_ingest-auto/plan.md", "# A plan\n");
  Write("oracle/gad/03-links.md",
        "# Links\n\n[plan](../_ingest-auto/plan.md), [none](04-none.md), [other](02-other.md)\n");
  const std::string page = TextOf(Made(), "page/gad/03-links.html");
  EXPECT_TRUE(Contains(page, "<a href=\"../../page/gad/02-other.html\">")) << page;
  EXPECT_FALSE(Contains(page, "plan.html")) << page;
  EXPECT_FALSE(Contains(page, "04-none.html")) << page;
}

// Issue 22: in a clone before its sources are fetched, the site said "not decided".
TEST_F(SiteTest, WhatWasNotCheckedSaysSo) {
  std::filesystem::remove_all(folder_.path() / "store");
  const Site site = Made();
  const std::string page = TextOf(site, "page/gad/01-cache.html");
  EXPECT_TRUE(Contains(page, "<span class=\"pill away\">1 not checked here ○</span>")) << page;
  EXPECT_TRUE(Contains(page, "class=\"m away\"")) << page;
  EXPECT_FALSE(Contains(page, "not decided")) << page;
  const std::string home = TextOf(site, "index.html");
  EXPECT_TRUE(Contains(home, "<li class=\"away\"><b>1</b> not checked here ○</li>")) << home;
  EXPECT_TRUE(Contains(home, "is not on the machine that wrote this site")) << home;
  EXPECT_FALSE(Contains(home, "holds ✓</span>")) << home;
}

TEST_F(SiteTest, RawHtmlIsText) {
  const std::string page = TextOf(Made(), "page/gad/02-other.html");
  EXPECT_FALSE(Contains(page, "<script>alert"));
  EXPECT_TRUE(Contains(page, "&lt;script&gt;alert"));
}

TEST_F(SiteTest, TheIndexLeadsToSections) {
  const std::string index = TextOf(Made(), "static/search-index.js");
  EXPECT_TRUE(Contains(index, R"(["page/gad/01-cache.html","The cache","gad"])"));
  EXPECT_TRUE(Contains(index, R"("part","Part","Text.")"));
}

}  // namespace
}  // namespace sibyl::interface
