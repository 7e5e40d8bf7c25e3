// SPDX-License-Identifier: Apache-2.0
#include "draft/agent/agent_page.h"

#include "base/strings.h"
#include "draft/test_passages.h"
#include "evidence/citation.h"

namespace sibyl::draft {
namespace {

class AgentPageTest : public PassageTest {
 protected:
  AgentPageTest() {
    part_ = {.number = 2, .title = "The cache", .target = "gad/02-cache.md"};
    part_.sections = {
        {.title = "Sizes", .points = {{.text = "Cache `size`"}, {.text = "Eviction"}}},
        {.title = "Limits", .points = {{.text = "Largest kernel"}}}};
    const Excerpt passage = Passage("cache.md", "markdown", "a\nb\nc\n");
    one_ = evidence::FormatCitation(passage.Cite(1, 1));
    two_ = evidence::FormatCitation(passage.Cite(2, 3));
  }

  AgentPage Compose(const std::vector<AgentSection>& sections) {
    return ComposeAgentPage({.plan = plan_,
                             .part = part_,
                             .lock = lock_,
                             .program = "sibyl 1.0",
                             .time = Time(std::chrono::seconds{1'794'700'800})},
                            sections);
  }

  static bool Has(const AgentPage& page, std::string_view line) {
    const std::vector<std::string_view> lines = SplitLines(page.draft.text);
    return std::find(lines.begin(), lines.end(), line) != lines.end();
  }

  plan::Plan plan_;
  plan::Part part_;
  std::string one_;
  std::string two_;
};

TEST_F(AgentPageTest, ASectionBecomesNumberedPointsWithFootnotesOfThePage) {
  const AgentPage page = Compose({{.place = 0,
                                   .text = "### Cache size\nIt holds 48 KB.[^a]\n\n"
                                           "### eviction\nThe oldest goes.[^b] It is fast.[^a]\n\n"
                                           "[^a]: " +
                                           one_ + "\n[^b]: `" + two_ + "`\n"}});
  EXPECT_TRUE(page.complaints.empty());
  EXPECT_TRUE(Has(page, "### 1.1 Cache size"));
  EXPECT_TRUE(Has(page, "It holds 48 KB.[^p2-1]"));
  EXPECT_TRUE(Has(page, "### 1.2 Eviction")) << "in the plan's words";
  EXPECT_TRUE(Has(page, "The oldest goes.[^p2-2] It is fast.[^p2-1]"));
  EXPECT_TRUE(Has(page, "| Cache size | [1.1](#11-cache-size) |"));
  EXPECT_EQ(page.citations, 2U);
  EXPECT_EQ(CoveredCount(page.draft), 2U);
  EXPECT_EQ(WriterOf(page.draft), "agent");
  EXPECT_EQ(page.draft.text.find("[^a]"), std::string::npos);
}

TEST_F(AgentPageTest, EveryLineKnowsWhereItComesFrom) {
  const AgentPage page =
      Compose({{.place = 1, .text = "It has 8 warps.[^x]\n\n[^x]: " + one_ + "\n"}});
  const std::vector<std::string_view> lines = SplitLines(page.draft.text);
  ASSERT_EQ(page.origins.size(), lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with("It has")) {
      EXPECT_EQ(page.origins[i].section, 1U);
      EXPECT_EQ(page.origins[i].line, 1U);
    } else if (lines[i].starts_with("[^p2-1]:")) {
      EXPECT_EQ(page.origins[i].line, 3U);
    } else {
      EXPECT_EQ(page.origins[i].line, 0U) << lines[i];
    }
  }
}

TEST_F(AgentPageTest, TheOnlyPointOfASectionNeedsNoHeading) {
  const AgentPage page =
      Compose({{.place = 1, .text = "It has 8 warps.[^x]\n\n[^x]: " + one_ + "\n"}});
  EXPECT_TRUE(Has(page, "## 2. Limits"));
  EXPECT_TRUE(Has(page, "| Largest kernel | [2](#2-limits) |"));
  EXPECT_EQ(CoveredCount(page.draft), 1U);
  EXPECT_EQ(PointCount(page.draft), 1U) << "sections that were not given promise nothing";
}

TEST_F(AgentPageTest, WithoutACitationAPointIsNotCovered) {
  const AgentPage page = Compose({{.place = 0, .text = "### Cache size\nIt holds 48 KB.\n"}});
  EXPECT_EQ(CoveredCount(page.draft), 0U);
  EXPECT_TRUE(Has(page, "## Not found"));
  EXPECT_TRUE(Has(page, "- *Cache size*: the writer found no source for it."));
  EXPECT_FALSE(Has(page, "## Sources"));
}

TEST_F(AgentPageTest, AnEmptySectionSaysThatNothingWasFound) {
  const AgentPage page = Compose({{.place = 0, .text = ""}});
  EXPECT_TRUE(Has(page, "See [Not found](#not-found)."));
  EXPECT_EQ(page.draft.sections.size(), 1U);
  EXPECT_EQ(page.draft.sections[0].points.size(), 2U);
}

TEST_F(AgentPageTest, LabelsOfOneSectionMeanNothingInTheNext) {
  const AgentPage page = Compose({{.place = 0, .text = "One.[^a]\n\n[^a]: " + one_ + "\n"},
                                  {.place = 1, .text = "Two.[^a]\n"}});
  EXPECT_TRUE(Has(page, "One.[^p2-1]"));
  EXPECT_TRUE(Has(page, "Two.[^a]")) << "the gate will ask what it is";
}

TEST_F(AgentPageTest, ABadDefinitionIsToldWithItsLine) {
  const AgentPage page = Compose({{.place = 1,
                                   .text = "Text.[^x]\n\n[^x]: the manual, page 3\n[^y]: " + one_ +
                                           "\n[^y]: " + two_ + "\n"}});
  ASSERT_EQ(page.complaints.size(), 2U);
  EXPECT_EQ(page.complaints[0].code, "draft/citation");
  EXPECT_EQ(page.complaints[0].origin.section, 1U);
  EXPECT_EQ(page.complaints[0].origin.line, 3U);
  EXPECT_NE(page.complaints[0].message.find("[^x] is not a citation"), std::string::npos);
  EXPECT_EQ(page.complaints[1].message, "[^y] is defined twice");
  EXPECT_FALSE(page.complaints[1].hint.empty());
}

TEST_F(AgentPageTest, HeadingsOfThePageAndCommentsAreNotTheAgents) {
  const AgentPage page =
      Compose({{.place = 1, .text = "# Mine\n\n## Also mine\n\n<!-- hidden -->\n#### Fine\n"}});
  ASSERT_EQ(page.complaints.size(), 3U);
  EXPECT_EQ(page.complaints[0].code, "draft/heading");
  EXPECT_EQ(page.complaints[0].origin.line, 1U);
  EXPECT_EQ(page.complaints[1].code, "draft/heading");
  EXPECT_EQ(page.complaints[2].code, "draft/comment");
  EXPECT_EQ(page.complaints[2].origin.line, 5U);
}

TEST_F(AgentPageTest, InCodeNothingIsAHeadingAMarkOrADefinition) {
  const AgentPage page =
      Compose({{.place = 1,
                .text = "```sh\n# a comment\necho '[^x]'\n[^x]: y\n\n\nmake\n```\nIt runs "
                        "`a[^x]`.[^x]\n\n[^x]: " +
                        one_ + "\n"}});
  EXPECT_TRUE(page.complaints.empty());
  EXPECT_NE(page.draft.text.find("```sh\n# a comment\necho '[^x]'\n[^x]: y\n\n\nmake\n```\n"),
            std::string::npos)
      << page.draft.text;
  EXPECT_TRUE(Has(page, "It runs `a[^x]`.[^p2-1]"));
}

TEST_F(AgentPageTest, AFenceEndsOnlyWithOneOfItsKind) {
  const AgentPage page =
      Compose({{.place = 1, .text = "````md\n```\n## inside\n```\n~~~\n````\n## outside\n"}});
  ASSERT_EQ(page.complaints.size(), 1U);
  EXPECT_EQ(page.complaints[0].origin.line, 7U);
}

TEST_F(AgentPageTest, APointIsCoveredOnce) {
  const AgentPage page =
      Compose({{.place = 0,
                .text = "### Eviction\nA.[^a]\n\n### Eviction\nB.[^a]\n\n[^a]: " + one_ + "\n"}});
  EXPECT_TRUE(Has(page, "### 1.1 Eviction"));
  EXPECT_TRUE(Has(page, "### Eviction"));
  EXPECT_EQ(CoveredCount(page.draft), 1U);
}

TEST_F(AgentPageTest, ASectionThatThePlanDoesNotHaveIsPassedOver) {
  const AgentPage page = Compose({{.place = 9, .text = "Lost.[^a]\n"}});
  EXPECT_TRUE(page.draft.sections.empty());
  EXPECT_EQ(page.draft.text.find("Lost"), std::string::npos);
}

TEST_F(AgentPageTest, TheSameInputsGiveTheSameBytes) {
  const std::vector<AgentSection> sections = {
      {.place = 0, .text = "### Eviction\nSee `GADGET_KB`.[^a]\n\n[^a]: " + one_ + "\n"}};
  const AgentPage page = Compose(sections);
  EXPECT_EQ(Compose(sections).draft.text, page.draft.text);
  EXPECT_EQ(page.draft.keywords, std::vector<std::string>{"GADGET_KB"});
}

TEST_F(AgentPageTest, TheStampNamesWhatTheCitationsName) {
  const AgentPage page =
      Compose({{.place = 1, .text = "It has 8 warps.[^x]\n\n[^x]: " + one_ + "\n"}});
  EXPECT_NE(page.draft.text.find("· gadget@" + index::BlobOf(77).Hex().substr(0, 7) + " ·"),
            std::string::npos)
      << page.draft.text;
  ASSERT_EQ(page.draft.sources.size(), 1U);
  EXPECT_EQ(page.draft.sources[0].citations, 1U);
}

TEST_F(AgentPageTest, OtherEvidenceIsNamedByWhatItIs) {
  const std::string fact = "fact:sha256:" + std::string(64, 'b') + ";inspector=cuda;key=kernels";
  const std::string lab = "lab:0123456789abcdef;metric=wide/bytes=64/time";
  const AgentPage page =
      Compose({{.place = 1, .text = "A.[^f] B.[^l]\n\n[^f]: " + fact + "\n[^l]: " + lab + "\n"}});
  EXPECT_TRUE(page.complaints.empty()) << page.complaints[0].message;
  EXPECT_NE(page.draft.text.find("[^p2-1]: artifact (sha256 bbbbbbbbbbbb…), inspector cuda, "),
            std::string::npos)
      << page.draft.text;
  EXPECT_NE(page.draft.text.find("[^p2-2]: lab run 0123456789abcdef, metric wide"),
            std::string::npos);
  EXPECT_TRUE(page.draft.sources.empty());
}

}  // namespace
}  // namespace sibyl::draft
