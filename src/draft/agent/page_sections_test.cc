// SPDX-License-Identifier: Apache-2.0
#include "draft/agent/page_sections.h"

#include "base/strings.h"
#include "draft/test_passages.h"
#include "evidence/citation.h"

namespace sibyl::draft {
namespace {

class PageSectionsTest : public PassageTest {
 protected:
  PageSectionsTest() {
    part_ = {.number = 2, .title = "The cache", .target = "gad/02-cache.md"};
    part_.sections = {
        {.title = "Sizes", .points = {{.text = "Cache `size`"}, {.text = "Eviction_policy"}}},
        {.title = "Limits", .points = {{.text = "Largest kernel"}}}};
    const Excerpt passage = Passage("cache.md", "markdown", "a\nb\nc\nd\n");
    one_ = evidence::FormatCitation(passage.Cite(1, 1));
    two_ = evidence::FormatCitation(passage.Cite(2, 3));
    three_ = evidence::FormatCitation(passage.Cite(4, 4));
  }

  std::string Compose(const std::vector<AgentSection>& sections, const std::string& before = {}) {
    const AgentPage page = ComposeAgentPage({.plan = plan_,
                                             .part = part_,
                                             .lock = lock_,
                                             .program = "sibyl 1.0",
                                             .time = Time(std::chrono::seconds{1'794'700'800}),
                                             .kept = ReadLabels(before)},
                                            sections);
    EXPECT_TRUE(page.complaints.empty());
    return page.draft.text;
  }

  std::string Written() {
    return Compose({{.place = 0,
                     .text = "### Cache size\n\nIt holds 48 KB.[^a]\n\n```cpp\n## 1. No heading\n"
                             "[^a]: no note\n\n\n```\n\n### Not found\n\n- Price of `it`\n\n"
                             "[^a]: " +
                             one_ + "\n"},
                    {.place = 1,
                     .text = "The largest is 8.[^b] It holds.[^a]\n\n[^a]: " + one_ +
                             "\n[^b]: " + two_ + "\n"}});
  }

  std::vector<AgentSection> Split(const std::string& page) {
    const auto sections = SplitPage(page, {.part = part_, .lock = lock_});
    EXPECT_TRUE(sections.ok()) << (sections.ok() ? "" : sections.error().message);
    return sections.ok() ? *sections : std::vector<AgentSection>();
  }

  plan::Plan plan_;
  plan::Part part_;
  std::string one_;
  std::string two_;
  std::string three_;
};

TEST_F(PageSectionsTest, APageTakenApartAndPutTogetherIsTheSamePage) {
  const std::string page = Written();
  EXPECT_NE(page.find("- *Price of it*: the writer found no source for it."), std::string::npos)
      << page;
  EXPECT_EQ(Compose(Split(page), page), page);
}

TEST_F(PageSectionsTest, CitedPlacesKeepTheirFootnotesAndNewOnesGetTheNextNumber) {
  const std::string page = Written();
  std::vector<AgentSection> sections = Split(page);
  ASSERT_EQ(sections.size(), 2U);
  // The place that was cited first is cited no more; a new one comes before the others.
  sections[0].text = "### Cache size\n\nIt is new.[^x]\n\n[^x]: " + three_ + "\n";
  const std::string revised = Compose(sections, page);
  EXPECT_NE(revised.find("It is new.[^p2-3]"), std::string::npos) << revised;
  EXPECT_NE(revised.find("The largest is 8.[^p2-2] It holds.[^p2-1]"), std::string::npos);
  EXPECT_LT(revised.find("\n[^p2-1]: "), revised.find("\n[^p2-2]: "));
  EXPECT_LT(revised.find("\n[^p2-2]: "), revised.find("\n[^p2-3]: "));
}

TEST_F(PageSectionsTest, ASectionWithoutAnythingIsEmpty) {
  const std::string page =
      Compose({{.place = 0, .text = ""},
               {.place = 1, .text = "The largest is 8.[^b]\n\n[^b]: " + two_ + "\n"}});
  const std::vector<AgentSection> sections = Split(page);
  ASSERT_EQ(sections.size(), 2U);
  EXPECT_EQ(sections[0].text, "");
  EXPECT_EQ(Compose(sections, page), page);
}

TEST_F(PageSectionsTest, TextOutsideTheSectionsOfThePlanIsReported) {
  const std::string page = Written();
  const auto refused = [&](std::string text) {
    const auto split = SplitPage(text, {.part = part_, .lock = lock_});
    return !split.ok() && split.error().kind == ErrorKind::kUsage;
  };
  std::string with_head = page;
  with_head.insert(with_head.find("\n## 1."), "\nBy hand.\n");
  EXPECT_TRUE(refused(with_head));
  std::string with_section = page;
  with_section.insert(with_section.find("## Not found"), "## Mine\n\nText.\n\n");
  EXPECT_TRUE(refused(with_section));
  std::string with_miss = page;
  with_miss.insert(with_miss.find("## Sources"), "A remark.\n\n");
  EXPECT_TRUE(refused(with_miss));
  EXPECT_TRUE(refused(page + "\nA remark.\n"));
}

TEST_F(PageSectionsTest, AnyTextIsTakenApartOrRefused) {
  for (const std::string text :
       {"", "\n", "# A", "## Sizes", "## Sizes\n[^", "## Not found\n- *a"}) {
    const auto split = SplitPage(text, {.part = part_, .lock = lock_});
    EXPECT_TRUE(split.ok() || !split.error().message.empty());
  }
}

}  // namespace
}  // namespace sibyl::draft
