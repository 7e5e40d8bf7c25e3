// SPDX-License-Identifier: Apache-2.0
#include "expansion/web_research.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "expansion/test_web.h"

namespace sibyl::expansion {
namespace {

using evidence::PageFate;

constexpr std::string_view kResearchPlan = R"(# Knowledge expansion: Gadget

**Topic**: Gadget

## PART 1: The queue of Gadget

- [ ] PART 1: Create gadget/01-queue.md (~80 lines)

**Step 1: Research**
- [ ] Search: "gadget queue length"
- [ ] Search: "gadget queue limit"

**Step 3: Write Knowledge File**
- [ ] Section 1: Queue (~50 lines)
      - Length of the queue
)";

plan::Plan PlanOf(std::string_view text) { return plan::Parse("plan.md", text).plan; }

std::vector<std::string> TextsOf(const std::vector<research::Query>& queries) {
  std::vector<std::string> texts;
  for (const research::Query& query : queries) texts.push_back(query.text);
  return texts;
}

TEST(WebQueries, AreThoseOfThePart) {
  const plan::Plan plan = PlanOf(kResearchPlan);
  const auto queries = WebQueriesOf(plan, plan.parts.at(0), 16);
  EXPECT_EQ(TextsOf(queries),
            (std::vector<std::string>{"gadget queue length", "gadget queue limit"}));
  EXPECT_EQ(queries[0].limit, 16U);
  EXPECT_TRUE(queries[0].hosts.empty());
}

TEST(WebQueries, WithoutAnyAreOneForEachSectionWithTheTopic) {
  plan::Part part;
  part.sections = {{.title = "Length"}, {.title = "Overflow"}};
  EXPECT_EQ(TextsOf(WebQueriesOf({.title = "Plan", .topic = "Gadget"}, part, 8)),
            (std::vector<std::string>{"Length Gadget", "Overflow Gadget"}));
  EXPECT_EQ(TextsOf(WebQueriesOf({.title = "Plan"}, part, 8)),
            (std::vector<std::string>{"Length Plan", "Overflow Plan"}));
}

TEST(WebQueries, WithoutSectionsIsTheTitleOfThePart) {
  plan::Part part;
  part.title = "The queue";
  EXPECT_EQ(TextsOf(WebQueriesOf({.topic = "Gadget"}, part, 8)),
            std::vector<std::string>{"The queue Gadget"});
  EXPECT_TRUE(WebQueriesOf({.topic = "Gadget"}, plan::Part{}, 8).empty());
}

TEST(WebQueries, ASiteBecomesAHostAndIsNotAskedForAsAWord) {
  plan::Part part;
  part.queries = {{.text = "queue site:docs.example.org length"}, {.text = "site:example.org"}};
  const auto queries = WebQueriesOf({}, part, 8);
  ASSERT_EQ(queries.size(), 1U) << "a site alone asks nothing";
  EXPECT_EQ(queries[0].text.find("site:"), std::string::npos);
  EXPECT_EQ(queries[0].hosts, std::vector<std::string>{"docs.example.org"});
}

TEST(WebQueries, TheSameQueryIsAskedOnceWhateverItsCase) {
  plan::Part part;
  part.queries = {{.text = "Gadget Queue"}, {.text = "gadget queue"}, {.text = "gadget"}};
  EXPECT_EQ(TextsOf(WebQueriesOf({}, part, 8)),
            (std::vector<std::string>{"Gadget Queue", "gadget"}));
}

class ResearchTest : public WebFixture {
 protected:
  ResearchTest() {
    ::unsetenv("SIBYL_WEB_ALLOW");
    web_.Find({web_.url("/queue.html"), web_.url("/gone.html")});
    web_.Publish("/queue.html", "Queue", "The queue holds 64 entries.");
  }

  WebResearchRequest Request() const {
    WebResearchRequest request{.plan = plan_, .parts = {}, .file = "plan.md"};
    for (const plan::Part& part : plan_.parts) request.parts.push_back(&part);
    return request;
  }
  WebResearch Research(const WebResearchRequest& request) const {
    auto research = ResearchOnWeb(Context(), request);
    EXPECT_TRUE(research.ok()) << (research.ok() ? "" : research.error().message);
    return research.ok() ? *std::move(research) : WebResearch{};
  }
  WebResearch Research() const { return Research(Request()); }

  static std::map<std::string, PageFate> FatesOf(const WebResearch& research) {
    std::map<std::string, PageFate> fates;
    for (const ResearchedPart& part : research.parts) {
      for (const ResearchedPage& page : part.pages) fates[page.url] = page.fate;
    }
    return fates;
  }
  static const Finding* FindingOf(const WebResearch& research, std::string_view code) {
    for (const Finding& finding : research.findings) {
      if (finding.code == code) return &finding;
    }
    return nullptr;
  }
  std::size_t PinnedPages() const {
    const evidence::Lock lock = expansion_.lock();
    for (const evidence::Pin& pin : lock.pins) {
      if (pin.name == kWebSource) return pin.pages.size();
    }
    return 0;
  }

  plan::Plan plan_ = PlanOf(kResearchPlan);
};

TEST_F(ResearchTest, WhatIsFoundIsFetchedJudgedAndPinned) {
  const WebResearch research = Research();
  ASSERT_EQ(research.parts.size(), 1U);
  EXPECT_EQ(research.parts[0].number, 1);
  EXPECT_EQ(research.parts[0].queries, 2U);
  const auto fates = FatesOf(research);
  ASSERT_EQ(fates.size(), 2U) << "two queries with the same answers ask for a page once";
  EXPECT_EQ(fates.at(web_.url("/queue.html")), PageFate::kNew);
  EXPECT_EQ(fates.at(web_.url("/gone.html")), PageFate::kRefused);
  EXPECT_EQ(PinnedPages(), 1U);
  EXPECT_EQ(web_.CountAsked("/search"), 2U);
  EXPECT_EQ(web_.CountAsked("/queue.html"), 1U);
}

TEST_F(ResearchTest, SaysWhatWasUsedAndSpent) {
  const WebResearch research = Research();
  const Finding* used = FindingOf(research, "web/used");
  ASSERT_NE(used, nullptr);
  EXPECT_EQ(used->severity, Severity::kNote);
  EXPECT_NE(used->message.find("2 queries, 1 page used, 1 refused"), std::string::npos)
      << used->message;
  EXPECT_EQ(research.spent.requests, web_.asked().size());
}

TEST_F(ResearchTest, ARunThatIsRepeatedAsksNothing) {
  Research();
  const std::size_t asked = web_.asked().size();
  const WebResearch again = Research();
  EXPECT_EQ(web_.asked().size(), asked);
  EXPECT_EQ(again.spent.requests, 0U);
  EXPECT_EQ(FatesOf(again).at(web_.url("/gone.html")), PageFate::kRefused) << "remembered";
  EXPECT_EQ(FatesOf(again).at(web_.url("/queue.html")), PageFate::kUnchanged);
  EXPECT_EQ(PinnedPages(), 1U);
}

TEST_F(ResearchTest, ARepeatedRunNeedsNoProvider) {
  Research();
  Configure("provider = \"searxng\"\nurl = \"" + web_.url("/") + "\"\nmax_requests = 0\n");
  EXPECT_EQ(FindingOf(Research(), "web/provider"), nullptr);
}

TEST_F(ResearchTest, APageThatTheBudgetDidNotReachIsTriedAgain) {
  web_.Find({web_.url("/queue.html")});
  WebResearchRequest request = Request();
  request.options.max_requests = 3;  // two searches and robots.txt
  EXPECT_EQ(FatesOf(Research(request)).at(web_.url("/queue.html")), PageFate::kRefused);
  EXPECT_EQ(FatesOf(Research()).at(web_.url("/queue.html")), PageFate::kNew);
}

TEST_F(ResearchTest, PagesThatThePlanNamesAreFetchedWithoutASearch) {
  plan_ = PlanOf(std::string(kResearchPlan) + "\n- [ ] Scrape " + web_.url("/named.html") + "\n");
  web_.Publish("/named.html", "Named", "The plan names this page about queues.");
  web_.Find({});
  EXPECT_EQ(FatesOf(Research()),
            (std::map<std::string, PageFate>{{web_.url("/named.html"), PageFate::kNew}}));
}

TEST_F(ResearchTest, ARepositoryIsSuggestedAndNotFetched) {
  web_.Find(
      {"https://github.com/NVIDIA/gadget/blob/main/README.md", "https://github.com/nvidia/gadget"});
  const WebResearch research = Research();
  EXPECT_TRUE(FatesOf(research).empty());
  const auto& findings = research.findings;
  const auto count = std::count_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.code == "web/repository";
  });
  EXPECT_EQ(count, 1) << "two pages of one repository";
  EXPECT_NE(FindingOf(research, "web/repository")->hint.find("sibyl source add https://github.com"),
            std::string::npos);
}

TEST_F(ResearchTest, WhatThePlanDoesNotWantIsCountedAndNotFetched) {
  plan_ = PlanOf(std::string(kResearchPlan) + "\n**Note**: site:docs.example.org\n");
  const WebResearch research = Research();
  EXPECT_TRUE(FatesOf(research).empty());
  EXPECT_EQ(research.parts.at(0).excluded, 4U) << "two answers to two queries";
  EXPECT_FALSE(research.parts[0].only.empty());
  EXPECT_EQ(web_.CountAsked("/queue.html"), 0U);
}

TEST_F(ResearchTest, AProviderThatFailsIsAWarningAndThePlanGoesOn) {
  web_.Answer("/search", net::TestPage("403 Forbidden", "", "no"));
  const WebResearch research = Research();
  const Finding* warning = FindingOf(research, "web/provider");
  ASSERT_NE(warning, nullptr);
  EXPECT_EQ(warning->severity, Severity::kWarning);
  EXPECT_EQ(warning->place.file, "plan.md");
  EXPECT_GT(warning->place.line, 0U);
  EXPECT_TRUE(research.parts.at(0).pages.empty());
}

TEST_F(ResearchTest, AQuestionThatWasNotAnsweredIsAskedAgain) {
  web_.Answer("/search", net::TestPage("403 Forbidden", "", "no"));
  Research();
  web_.Find({web_.url("/queue.html")});
  EXPECT_EQ(FatesOf(Research()).at(web_.url("/queue.html")), PageFate::kNew);
}

TEST_F(ResearchTest, WithoutAProviderNamedPagesAreStillFetched) {
  Configure("");
  ::unsetenv("SEARXNG_URL");
  plan_ = PlanOf(std::string(kResearchPlan) + "\n- [ ] Scrape " + web_.url("/queue.html") + "\n");
  const WebResearch research = Research();
  EXPECT_NE(FindingOf(research, "web/provider"), nullptr);
  EXPECT_EQ(FatesOf(research).at(web_.url("/queue.html")), PageFate::kNew);
}

TEST_F(ResearchTest, WithoutPartsOnlyTheSumIsTold) {
  WebResearchRequest request = Request();
  request.parts.clear();
  const WebResearch research = Research(request);
  EXPECT_TRUE(research.parts.empty());
  ASSERT_EQ(research.findings.size(), 1U);
  EXPECT_TRUE(web_.asked().empty());
}

TEST_F(ResearchTest, AnInterruptSaysWhereItWas) {
  std::stop_source stop;
  stop.request_stop();
  WebResearchRequest request = Request();
  request.stop = stop.get_token();
  const auto research = ResearchOnWeb(Context(), request);
  ASSERT_FALSE(research.ok());
  EXPECT_EQ(research.error().kind, ErrorKind::kCancelled);
  EXPECT_NE(research.error().message.find("part 1"), std::string::npos);
  EXPECT_EQ(PinnedPages(), 0U);
}

TEST_F(ResearchTest, ATableThatCannotBeReadIsAnError) {
  Write("at_once = 0\n");
  EXPECT_EQ(ResearchOnWeb(Context(), Request()).error().kind, ErrorKind::kUsage);
  EXPECT_EQ(PreviewWebResearch(Context(), Request()).error().kind, ErrorKind::kUsage);
}

TEST_F(ResearchTest, UnknownKeysOfTheTableAreReported) {
  Configure("provider = \"searxng\"\nurl = \"" + web_.url("/") + "\"\nreslts = 3\n");
  const WebResearch research = Research();
  EXPECT_TRUE(std::any_of(
      research.findings.begin(), research.findings.end(),
      [](const Finding& finding) { return finding.message.find("reslts") != std::string::npos; }));
}

TEST_F(ResearchTest, APreviewAsksNothingAndKnowsWhatWasAsked) {
  const auto before = PreviewWebResearch(Context(), Request());
  ASSERT_TRUE(before.ok()) << before.error().message;
  ASSERT_EQ(before->queries.size(), 2U);
  EXPECT_EQ(before->queries[0].text, "gadget queue length");
  EXPECT_FALSE(before->queries[0].is_known);
  EXPECT_EQ(before->most_pages, 16U) << "eight results of two queries";
  EXPECT_TRUE(web_.asked().empty());
  Research();
  const auto after = PreviewWebResearch(Context(), Request());
  EXPECT_TRUE(after->queries[1].is_known);
  EXPECT_EQ(after->most_pages, 0U);
}

TEST_F(ResearchTest, TheWebIsUsedWhenItIsAllowedOrConfiguredAndThereIsANetwork) {
  using Use = WebPermission::Use;
  EXPECT_FALSE(*IsWebAllowed(Context(), {}));
  EXPECT_TRUE(*IsWebAllowed(Context(), {.use = Use::kAllowed}));
  EXPECT_FALSE(*IsWebAllowed(expansion_.context(), {.use = Use::kAllowed}));
  Write("expand = true\n");
  EXPECT_TRUE(*IsWebAllowed(Context(), {}));
  EXPECT_FALSE(*IsWebAllowed(expansion_.context(), {}));
  Write("expand = 1\n");
  EXPECT_FALSE(IsWebAllowed(Context(), {}).ok());
}

TEST_F(ResearchTest, ATableThatAsksForTheWebByItselfNeedsConsent) {
  using Use = WebPermission::Use;
  EXPECT_TRUE(CheckWebConsent(Context(), {}).ok()) << "nothing asks for it";
  Write("expand = true\n");
  const Status refused = CheckWebConsent(Context(), {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kUnavailable);
  EXPECT_TRUE(CheckWebConsent(Context(), {.use = Use::kAllowed}).ok()) << "--web is the word";
  Agree();
  EXPECT_TRUE(CheckWebConsent(Context(), {}).ok());
}

}  // namespace
}  // namespace sibyl::expansion
