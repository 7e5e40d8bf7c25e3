// SPDX-License-Identifier: Apache-2.0
#include "draft/draft.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/strings.h"
#include "draft/page_parts.h"
#include "draft/page_text.h"
#include "draft/title.h"

namespace sibyl::draft {
namespace {

Draft With(const std::vector<Making>& makings) {
  Draft draft;
  for (const Making making : makings) draft.sections.push_back({.title = "S", .making = making});
  return draft;
}

TEST(Drafts, AnySectionThatWasNotExtractedNamesTheWriter) {
  EXPECT_EQ(WriterOf(With({})), "extract");
  EXPECT_EQ(WriterOf(With({Making::kExtracted, Making::kMeasured})), "extract");
  EXPECT_EQ(WriterOf(With({Making::kExtracted, Making::kModelWritten})), "llm");
  EXPECT_EQ(WriterOf(With({Making::kExtracted, Making::kAgentWritten})), "agent");
}

TEST(Drafts, CountTheirPoints) {
  Draft draft = With({Making::kExtracted, Making::kExtracted});
  EXPECT_EQ(PointCount(draft), 0U);
  draft.sections[0].points = {{.point = "a", .where = "1.1"}, {.point = "b"}};
  draft.sections[1].points = {{.point = "c", .where = ""}};
  EXPECT_EQ(PointCount(draft), 3U);
  EXPECT_EQ(CoveredCount(draft), 2U);
}

TEST(Drafts, EachMakingHasItsName) {
  EXPECT_EQ(MakingName(Making::kExtracted), "extracted");
  EXPECT_EQ(MakingName(Making::kModelWritten), "model-written");
  EXPECT_EQ(MakingName(Making::kAgentWritten), "agent-written");
  EXPECT_EQ(MakingName(Making::kMeasured), "measured");
  EXPECT_EQ(MakingName(Making::kInspected), "inspected");
}

TEST(PlannedTables, HaveARowForEachPoint) {
  EXPECT_EQ(PlannedTable({}).size(), 2U);
  const std::vector<std::string> lines =
      PlannedTable({{.point = "a|b_c", .where = "[1.1](#11-a)"}});
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[2], "| a\\|b\\_c | [1.1](#11-a) |");
}

TEST(MissLines, EscapeBothParts) {
  EXPECT_EQ(MissLine("a*b", "nothing <here>"), "- *a\\*b*: nothing \\<here\\>.");
}

TEST(UsedSources, AreSortedByNameAndCounted) {
  const evidence::Pin b{.name = "b", .origin = "o"};
  const evidence::Pin a{.name = "a", .origin = "o"};
  const std::vector<UsedSource> sources = CountSources({&b, &a, &b});
  ASSERT_EQ(sources.size(), 2U);
  EXPECT_EQ(sources[0].name, "a");
  EXPECT_EQ(sources[1].citations, 2U);
  EXPECT_TRUE(CountSources({}).empty());
}

// No mark outside of code is left without a backslash, and nothing is lost.
RC_GTEST_PROP(EscapedText, IsTheTextWithBackslashes, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("a", "`", "*", "_", "<", ">", "[", "]", "#", "|", "\\", " "));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  std::string plain;
  bool in_code = false;
  const bool keeps_code =
      std::count(text.begin(), text.end(), '`') % 2 == 0 && text.find("``") == std::string::npos;
  const std::string escaped = Escaped(text);
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    if (escaped[i] == '`') in_code = keeps_code && !in_code;
    if (escaped[i] == '\\' && !in_code) {
      ++i;
      RC_ASSERT(i < escaped.size());
    } else if (!in_code) {
      RC_ASSERT(std::string_view("*_<>[]#|").find(escaped[i]) == std::string_view::npos);
    }
    plain += escaped[i];
  }
  RC_ASSERT(plain == text);
}

RC_GTEST_PROP(EscapedText, InACellHasNoBareBarAndNoLineEnd, (const std::string& text)) {
  const std::string cell = EscapedCell(text);
  RC_ASSERT(cell.find('\n') == std::string::npos);
  for (std::size_t at = cell.find('|'); at != std::string::npos; at = cell.find('|', at + 1)) {
    RC_ASSERT(at > 0 && cell[at - 1] == '\\');
  }
}

TEST(Titles, OfAChoreAreTheWordsOfTheFile) {
  const plan::Part part{.title = "Create cuda/20-cupti-and-nccl.md",
                        .target = "cuda/20-cupti-and-nccl.md",
                        .goal = "How CUPTI works with NCCL"};
  EXPECT_EQ(TitleOf({}, part), "CUPTI and NCCL");
  EXPECT_EQ(TitleOf({}, {.title = "create x", .target = "07-.md"}), "create x") << "no words";
}

TEST(Titles, AreOtherwiseThoseOfThePart) {
  EXPECT_EQ(TitleOf({}, {.title = "The **cache**", .target = "a/01-b.md"}), "The cache");
  EXPECT_EQ(TitleOf({}, {.title = "Create a build", .target = ""}), "Create a build");
}

TEST(BestNames, KeepTheOrderOfEqualCounts) {
  EXPECT_EQ(BestNames({{"b", 1}, {"a", 1}, {"c", 5}}), (std::vector<std::string>{"c", "a", "b"}));
  EXPECT_TRUE(BestNames({}).empty());
}

TEST(Stamps, NameStretchesOfSections) {
  const Draft draft = With({Making::kExtracted, Making::kExtracted, Making::kModelWritten});
  const std::string program = "sibyl 1.0";
  const std::string stamp = StampOf(draft, {.program = program,
                                            .time = *ParseDate("2026-11-15"),
                                            .pins = {"gadget@4f2a91c"},
                                            .citations = 3,
                                            .making_note = "by small-1"});
  EXPECT_EQ(stamp,
            "> sibyl 1.0 · 2026-11-15 · gadget@4f2a91c · 3 of 3 citations hold · 0 of 0 points "
            "covered · sections 1–2 extracted, section 3 model-written by small-1");
}

}  // namespace
}  // namespace sibyl::draft
