// SPDX-License-Identifier: Apache-2.0
#include "gate/index_pages.h"

#include <gtest/gtest.h>

#include "gate/test_book.h"

namespace sibyl::gate {
namespace {

using Strings = std::vector<std::string>;

std::vector<PageFacts> Oracle(std::string_view index) {
  return {{.path = "cuda/01-first.md", .name = "cuda/01-first.md", .lines = 120, .citations = 7},
          {.path = "cuda/02-second.md", .name = "cuda/02-second.md", .lines = 80, .citations = 3},
          {.path = "cuda/INDEX.md", .name = "cuda/INDEX.md", .text_view = index}};
}

TEST(KnowledgePaths, HaveANumberThatIsNoDate) {
  EXPECT_TRUE(IsKnowledgePath("cuda/16-cupti.md"));
  EXPECT_TRUE(IsKnowledgePath("1_a.md"));
  EXPECT_FALSE(IsKnowledgePath("cuda/INDEX.md"));
  EXPECT_FALSE(IsKnowledgePath("2026-11-15-notes.md"));
  EXPECT_FALSE(IsKnowledgePath("16.md"));
}

TEST(IndexPages, ThatListEveryFileOnceHold) {
  EXPECT_TRUE(JudgeIndexPages(Oracle("# CUDA\n\nSee 01-first.md, my favourite, and 99-gone.md.\n"
                                     "<!-- sibyl:begin files -->\n"
                                     "**2 files**, 200 lines, 10 citations; last updated x\n\n"
                                     "| file | lines | citations |\n| --- | --- | --- |\n"
                                     "| [01-first.md](01-first.md) | 120 | 7 |\n"
                                     "| [02-second.md](02-second.md) goes on after 01-first.md | "
                                     "80 | 3 |\n"
                                     "\n**Quick navigation**\n\n"
                                     "- **First**: [5 lines](01-first.md#a) · [b](01-first.md#b)\n"
                                     "<!-- sibyl:end files -->\n"))
                  .empty());
}

TEST(IndexPages, SayWhatIsMissingTwiceGoneOrCountedWrongly) {
  const auto judgements =
      JudgeIndexPages(Oracle("<!-- sibyl:begin files -->\n"
                             "3 files\n"
                             "| file | lines | citations |\n"
                             "| [01-first.md](01-first.md) | 119 | 7 |\n"
                             "| [01-first.md](01-first.md) | 120 | 7 |\n"
                             "| [03-third.md](03-third.md) | 1 | 1 |\n"
                             "<!-- sibyl:end files -->\n"));
  EXPECT_EQ(Failures(judgements),
            (Strings{"2 index/count contradicted", "4 index/count contradicted",
                     "6 index/dangling contradicted", "5 index/duplicate contradicted",
                     "1 index/missing contradicted"}));
}

TEST(IndexPages, OfPeopleNeedOnlyNameTheFiles) {
  EXPECT_TRUE(JudgeIndexPages(Oracle("- 01-first.md\n- 02-second.md, 01-first.md\n")).empty());
  EXPECT_EQ(Failures(JudgeIndexPages(Oracle("- 01-first.md\n"))),
            Strings{"1 index/missing contradicted"});
}

TEST(IndexPages, AreMissedAndNumbersAreUnique) {
  std::vector<PageFacts> pages = Oracle("");
  pages.pop_back();
  pages[1].path = "cuda/1-second.md";
  EXPECT_EQ(Failures(JudgeIndexPages(pages)),
            (Strings{"1 index/number contradicted", "1 index/missing contradicted"}));
}

TEST(IndexPages, WithABlockThatIsOnlyShownInCodeAreOfPeople) {
  const std::string shown =
      "````markdown\n```\n<!-- sibyl:begin files -->\n```\n<!-- sibyl:end files -->\n````\n";
  EXPECT_TRUE(JudgeIndexPages(Oracle(shown + "- 01-first.md\n- 02-second.md\n")).empty());
}

TEST(IndexPages, WithDamagedMarkersSayWhere) {
  const auto judgements =
      JudgeIndexPages(Oracle("01-first.md 02-second.md\n<!-- sibyl:begin files -->\n~~~\n```\n"
                             "<!-- sibyl:end files -->\n"));
  EXPECT_EQ(Failures(judgements), Strings{"2 index/markers contradicted"});
}

TEST(IndexPages, OfAnEmptyOracleHold) {
  EXPECT_TRUE(JudgeIndexPages({}).empty());
  EXPECT_TRUE(JudgeIndexPages({{.path = "SKILL.md", .name = "SKILL.md"}}).empty());
  EXPECT_TRUE(JudgeIndexPages({{.path = "notes/a.md", .name = "notes/a.md"}}).empty())
      << "no knowledge file needs an index there";
}

TEST(IndexPages, MarksThatDoNotMatchAreFoundInTheFrontPageToo) {
  const auto judgements = JudgeIndexPages({{.path = "SKILL.md",
                                            .name = "SKILL.md",
                                            .text_view = "# S\n<!-- sibyl:begin topics -->\n"}});
  EXPECT_EQ(Failures(judgements), Strings{"2 index/markers contradicted"});
}

TEST(IndexPages, MayPointToFilesOfOtherTopics) {
  EXPECT_TRUE(JudgeIndexPages(Oracle("<!-- sibyl:begin files -->\r\n"
                                     "- [01-first.md](01-first.md)\r\n"
                                     "- [02-second.md](./02-second.md)\r\n"
                                     "- [elsewhere](../hip/09-other.md)\r\n"
                                     "<!-- sibyl:end files -->\r\n"))
                  .empty());
}

TEST(IndexPages, CountsWithThousandsAreRead) {
  std::vector<PageFacts> pages = Oracle(
      "<!-- sibyl:begin files -->\n2 files, 1,204 lines, 10 citations\n"
      "- [01-first.md](01-first.md)\n- [02-second.md](02-second.md)\n<!-- sibyl:end files -->\n");
  pages[0].lines = 1'124;
  EXPECT_TRUE(JudgeIndexPages(pages).empty());
  pages[0].lines = 1'125;
  EXPECT_EQ(Failures(JudgeIndexPages(pages)), Strings{"2 index/count contradicted"});
}

TEST(KnowledgePaths, IndexPagesAreToldByTheirNames) {
  EXPECT_TRUE(IsIndexPath("cuda/INDEX.md"));
  EXPECT_TRUE(IsIndexPath("INDEX.md"));
  EXPECT_TRUE(IsIndexPath("SKILL.md"));
  EXPECT_FALSE(IsIndexPath("cuda/SKILL.md"));
  EXPECT_FALSE(IsIndexPath("cuda/index.md"));
  EXPECT_FALSE(IsKnowledgePath(""));
  EXPECT_FALSE(IsKnowledgePath("01-"));
}

}  // namespace
}  // namespace sibyl::gate
