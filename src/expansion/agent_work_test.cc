// SPDX-License-Identifier: Apache-2.0
#include "expansion/agent_work.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <memory>
#include <string>

#include "expansion/agent_run.h"
#include "expansion/draft_payload.h"
#include "expansion/test_expansion.h"
#include "oracle/lease_monitor.h"
#include "runner/process_id.h"

namespace sibyl::expansion {
namespace {

using runner::JobState;
using std::chrono::milliseconds;

// Two sections, so that one alone is not the whole.
constexpr std::string_view kAgentPlan = R"(# Knowledge expansion: Gadget

## PART 1: The queue of Gadget

- [ ] PART 1: Create gadget/01-queue.md (~80 lines)

**Step 3: Write Knowledge File**
- [ ] Section 1: Queue (~50 lines)
      - Length of the queue
- [ ] Section 2: Overflow (~20 lines)
      - What a full queue drops
)";

class AgentWork : public testing::Test {
 protected:
  AgentWork() { expansion_.Write("oracle/plan.md", kAgentPlan); }

  std::unique_ptr<AgentRun> Begin() const {
    auto run = AgentRun::Open(expansion_.context(), "plan.md", Joining::kBegin);
    EXPECT_TRUE(run.ok()) << (run.ok() ? "" : run.error().message);
    return std::move(run).value();
  }

  // The word for the first part.
  std::string Claim(const std::string& holder = "agent:ada",
                    milliseconds length = kAgentLease) const {
    const auto run = Begin();
    const auto lease = run->queue()->ClaimFor({.holder = holder, .lease = length});
    EXPECT_TRUE(lease.ok() && *lease);
    return FormatLease(run->ledger(), {.run = run->queue()->run(), .lease = **lease});
  }

  Result<std::unique_ptr<HeldPart>> Open(const std::string& word) const {
    return HeldPart::Open(expansion_.context(), word);
  }
  std::unique_ptr<HeldPart> Held(const std::string& word) const {
    auto held = Open(word);
    EXPECT_TRUE(held.ok()) << (held.ok() ? "" : held.error().message);
    return std::move(held).value();
  }

  std::string Section(const std::string& point, const std::string& statement,
                      const std::string& lines) const {
    return "### " + point + "\n\n" + statement + "[^a]\n\n[^a]: " + expansion_.Cite(lines) + "\n";
  }
  std::string TrueSection() const {
    return Section("Length of the queue", "The length of the queue is 64 entries.", "queue.md:3");
  }

  TestExpansion expansion_;
};

TEST_F(AgentWork, ALeaseOpensItsPartWithWhatThePlanWants) {
  const auto held = Held(Claim());
  EXPECT_EQ(held->plan_path(), "plan.md");
  EXPECT_EQ(held->part().target, "gadget/01-queue.md");
  ASSERT_EQ(held->sections().size(), 2U);
  EXPECT_EQ(held->sections()[1].title, "Overflow");
  EXPECT_EQ(held->row().state, JobState::kRunning);
  EXPECT_EQ(held->lease_length(), kAgentLease);
  EXPECT_FALSE(held->is_submitted());
  EXPECT_TRUE(held->drafted().empty());
}

TEST_F(AgentWork, AWordThatIsNoLeaseIsAnErrorOfUsage) {
  Claim();
  EXPECT_EQ(Open("").error().kind, ErrorKind::kUsage);
  EXPECT_EQ(Open("1-0-1-00000000000000000000000000000000").error().kind, ErrorKind::kUsage);
}

TEST_F(AgentWork, WhatWasDraftedIsKeptForTheNextCall) {
  const std::string word = Claim();
  {
    const auto held = Held(word);
    held->drafted() = {{.place = 1, .text = "Überlauf\r\n"}, {.place = 0, .text = ""}};
    ASSERT_TRUE(held->Keep({.step = "agent drafts"}).ok());
  }
  const auto held = Held(word);
  ASSERT_EQ(held->drafted().size(), 2U);
  EXPECT_EQ(held->drafted()[0].place, 0U);
  EXPECT_EQ(held->drafted()[1].text, "Überlauf\r\n");
  EXPECT_NE(held->row().progress.find("agent drafts"), std::string::npos);
}

TEST_F(AgentWork, KeepingIsASignOfLife) {
  const std::string word = Claim();
  const std::int64_t before = Held(word)->row().heartbeat;
  ASSERT_TRUE(Held(word)->Keep({.step = "agent"}).ok());
  EXPECT_GT(Held(word)->row().heartbeat, before);
}

TEST_F(AgentWork, SectionsThatThePlanDoesNotHaveAreForgotten) {
  const std::string word = Claim();
  const auto held = Held(word);
  held->drafted() = {{.place = 0, .text = "one"}, {.place = 2, .text = "none"}};
  ASSERT_TRUE(held->Keep({}).ok());
  ASSERT_EQ(Held(word)->drafted().size(), 1U);
}

TEST_F(AgentWork, ALeaseThatWasGivenBackIsLost) {
  const std::string word = Claim();
  const auto held = Held(word);
  ASSERT_TRUE(held->queue().Release(held->lease(), "no time").ok());
  EXPECT_EQ(Open(word).error().kind, ErrorKind::kUnavailable);
  EXPECT_EQ(held->Keep({}).error().kind, ErrorKind::kUnavailable) << "an older look at it";
}

TEST_F(AgentWork, ALeaseThatWasTakenOverIsLostAndTheDraftStays) {
  const std::string word = Claim();
  const auto first = Held(word);
  first->drafted() = {{.place = 0, .text = "of the first"}};
  ASSERT_TRUE(first->Keep({}).ok());
  ASSERT_TRUE(first->queue().Expire(first->lease(), runner::Loss::kCrashed, {}).ok());
  const std::string next = Claim("agent:bob");
  EXPECT_EQ(Open(word).error().kind, ErrorKind::kUnavailable);
  EXPECT_EQ(Held(next)->drafted().at(0).text, "of the first");
}

TEST_F(AgentWork, APartThatWasSubmittedOpensAgainWithTheSameLease) {
  const std::string word = Claim();
  const auto held = Held(word);
  draft::Draft draft{.path = "gadget/01-queue.md"};
  ASSERT_TRUE(held->queue().Complete(held->lease(), FormatDraft(draft)).ok());
  EXPECT_TRUE(Held(word)->is_submitted());
}

TEST_F(AgentWork, APartThatThePlanLostIsAnErrorOfUsage) {
  const std::string word = Claim();
  expansion_.Write("oracle/plan.md", "# Knowledge expansion: Gadget\n");
  const auto held = Open(word);
  ASSERT_FALSE(held.ok());
  EXPECT_EQ(held.error().kind, ErrorKind::kUsage);
  EXPECT_NE(held.error().message.find("gadget/01-queue.md"), std::string::npos);
}

TEST_F(AgentWork, AHolderThatIsGoneLosesItsPart) {
  runner::ProcessId process = runner::ThisProcess();
  process.started += 1;  // the number was used again
  Claim(runner::FormatProcessId(process));
  EXPECT_EQ(Begin()->Rows()->at(0).state, JobState::kWaiting) << "opening the run frees it";
}

TEST_F(AgentWork, AHolderThatLivesOrIsUnknownKeepsItsPart) {
  for (const std::string& holder :
       {runner::FormatProcessId(runner::ThisProcess()), std::string("agent:ada")}) {
    const std::string word = Claim(holder);
    EXPECT_EQ(Begin()->Rows()->at(0).state, JobState::kRunning) << holder;
    const auto held = Held(word);
    ASSERT_TRUE(held->queue().Release(held->lease(), "done").ok());
  }
}

TEST_F(AgentWork, AServerFreesAPartThatIsSilentForLongerThanItsLease) {
  oracle::LeaseMonitor monitor;
  oracle::Context context = expansion_.context();
  context.lease_monitor = &monitor;
  const auto state = [&] {
    return AgentRun::Open(context, "plan.md", Joining::kLook).value()->Rows()->at(0).state;
  };
  Claim("agent:ada", milliseconds(3'600'000));
  EXPECT_EQ(state(), JobState::kRunning);
  const auto run = Begin();
  const auto row = run->Rows()->at(0);
  ASSERT_TRUE(run->queue()->Release({.place = row.place, .token = row.token}, "").ok());
  Claim("agent:ada", milliseconds(0));
  EXPECT_EQ(state(), JobState::kWaiting);
}

TEST_F(AgentWork, ALeaseIsOverWhenItWasNotUsedForItsTime) {
  const Clock& clock = expansion_.context().clock;
  const auto used_before = [&clock](std::chrono::seconds ago) {
    return AgentProgress(FixedClock(clock.Now() - ago), {.step = "agent ada"});
  };
  runner::JobRow row{.state = JobState::kRunning};
  row.holder = "agent:ada";
  row.lease = std::chrono::seconds(60);
  row.progress = used_before(std::chrono::seconds(59));
  EXPECT_FALSE(IsLost(expansion_.context(), "journal", 1, row));
  row.progress = used_before(std::chrono::seconds(61));
  EXPECT_TRUE(IsLost(expansion_.context(), "journal", 1, row));
  // A process that still runs is never lost by the clock.
  row.holder = runner::FormatProcessId(runner::ThisProcess());
  EXPECT_FALSE(IsLost(expansion_.context(), "journal", 1, row));
}

TEST_F(AgentWork, WhatNobodyHoldsIsNotLost) {
  runner::JobRow row{.state = JobState::kWaiting};
  EXPECT_FALSE(IsLost(expansion_.context(), "journal", 1, row));
  row.state = JobState::kDone;
  row.holder = "agent:ada";
  EXPECT_FALSE(IsLost(expansion_.context(), "journal", 1, row));
}

TEST_F(AgentWork, ARunOfAgentsIsJoinedAndNeverReplaced) {
  const auto run = Begin();
  runner::Ledger& ledger = run->ledger();
  using runner::Existing;
  EXPECT_EQ(HowToJoin(ledger, "plan.md", Existing::kResume), Existing::kResume)
      << "nobody has a part yet";
  const auto held = Held(Claim());
  ASSERT_TRUE(held->Keep({.step = "agent ada"}).ok());
  EXPECT_EQ(HowToJoin(ledger, "plan.md", Existing::kResume), Existing::kJoin);
  EXPECT_EQ(HowToJoin(ledger, "plan.md", Existing::kRestart), Existing::kRestart)
      << "a person asked for it";
  EXPECT_EQ(HowToJoin(ledger, "other.md", Existing::kResume), Existing::kResume);
}

TEST_F(AgentWork, ARunWithAPageOfAnAgentIsJoined) {
  const auto held = Held(Claim());
  draft::Draft draft{.path = "gadget/01-queue.md"};
  draft.sections.push_back({.title = "Queue", .making = draft::Making::kAgentWritten});
  ASSERT_TRUE(held->queue().Complete(held->lease(), FormatDraft(draft)).ok());
  EXPECT_EQ(HowToJoin(Begin()->ledger(), "plan.md", runner::Existing::kResume),
            runner::Existing::kJoin);
}

// The gate and the lines that the agent wrote.

TEST_F(AgentWork, ASectionThatHoldsHasNoFindings) {
  const auto held = Held(Claim());
  const auto judged = JudgeSections(expansion_.context(), *held, {{.text = TrueSection()}});
  ASSERT_TRUE(judged.ok()) << judged.error().message;
  EXPECT_TRUE(judged->findings.empty()) << judged->findings.at(0).message;
  EXPECT_EQ(judged->page.citations, 1U);
  EXPECT_FALSE(judged->page.draft.line_budget.has_value()) << "one section is not the file";
}

TEST_F(AgentWork, AllSectionsTogetherHaveTheBudgetOfTheFile) {
  const auto held = Held(Claim());
  const auto judged = JudgeSections(expansion_.context(), *held,
                                    {{.place = 0, .text = TrueSection()}, {.place = 1}});
  ASSERT_TRUE(judged.ok());
  EXPECT_EQ(judged->page.draft.line_budget, held->part().line_budget);
}

TEST_F(AgentWork, WhatTheGateRefusesIsToldWithSectionAndLineAsTheAgentWroteThem) {
  const auto held = Held(Claim());
  const std::string text = Section("What a full queue drops",
                                   "`queue_size` says what a full queue drops.", "queue.md:4");
  const auto judged =
      JudgeSections(expansion_.context(), *held,
                    {{.place = 0, .text = TrueSection()}, {.place = 1, .text = text}});
  ASSERT_TRUE(judged.ok()) << judged.error().message;
  ASSERT_EQ(judged->findings.size(), 1U);
  const Finding& finding = judged->findings[0];
  EXPECT_EQ(finding.code, "ident/unknown");
  EXPECT_EQ(finding.place.line, 3U);
  EXPECT_NE(finding.place.text.find("`queue_size` says"), std::string::npos) << finding.place.text;
  const auto section =
      std::find_if(finding.details.begin(), finding.details.end(),
                   [](const FindingDetail& detail) { return detail.name == "section"; });
  ASSERT_NE(section, finding.details.end());
  EXPECT_EQ(section->value, "2");
}

TEST_F(AgentWork, ALineWithoutAReceiptIsRefused) {
  const auto held = Held(Claim());
  const auto judged = JudgeSections(
      expansion_.context(), *held,
      {{.text = "### Length of the queue\n\nThe length of the queue is 64 entries.\n"}});
  ASSERT_TRUE(judged.ok());
  EXPECT_FALSE(judged->findings.empty());
}

TEST_F(AgentWork, WhatTheFormForbidsIsToldBesideWhatTheGateSays) {
  const auto held = Held(Claim());
  const auto judged =
      JudgeSections(expansion_.context(), *held,
                    {{.text = TrueSection() + "\n# A title\r\n\n[^b]: not a citation\n"}});
  ASSERT_TRUE(judged.ok());
  std::vector<std::string> codes;
  for (const Finding& finding : judged->findings) codes.push_back(finding.code);
  EXPECT_NE(std::find(codes.begin(), codes.end(), "draft/citation"), codes.end());
}

TEST_F(AgentWork, JudgingTwiceGivesTheSameBytes) {
  const auto held = Held(Claim());
  const std::vector<draft::AgentSection> sections = {{.text = TrueSection()}};
  EXPECT_EQ(JudgeSections(expansion_.context(), *held, sections)->page.draft.text,
            JudgeSections(expansion_.context(), *held, sections)->page.draft.text);
}

// What the journal keeps of a draft.

TEST(AgentSections, WhatIsNotOursIsNothing) {
  for (const std::string_view payload :
       {"", "{}", "[]", "null", "not json", R"({"sibyl-sections": 2, "sections": []})",
        R"({"sibyl-sections": "1", "sections": [{"place": 0, "text": "a"}]})",
        R"({"sibyl-sections": 1})", R"({"sibyl-sections": 1, "sections": {"place": 0}})"}) {
    EXPECT_TRUE(ParseSections(payload).empty()) << payload;
  }
}

TEST(AgentSections, WhatCanBeReadIsReadInTheOrderOfThePlaces) {
  const auto sections = ParseSections(
      R"({"sibyl-sections": 1, "sections": [7, {"place": 2, "text": "c"}, {"place": -1, "text": ""},
          {"place": "0", "text": "x"}, {"place": 0}, {"place": 1, "text": 5},
          {"place": 0, "text": "a"}]})");
  ASSERT_EQ(sections.size(), 2U);
  EXPECT_EQ(sections[0].text, "a");
  EXPECT_EQ(sections[1].place, 2U);
}

TEST(AgentSections, WhatIsWrittenIsReadBackTheSame) {
  EXPECT_TRUE(rc::check([] {
    std::vector<draft::AgentSection> sections;
    const auto count = *rc::gen::inRange<std::size_t>(0, 6);
    for (std::size_t i = 0; i < count; ++i) {
      sections.push_back({.place = i,
                          .text = *rc::gen::container<std::string>(
                              rc::gen::element('a', '\n', '\r', '"', '\\', '{', '\t', '#'))});
    }
    const auto read = ParseSections(FormatSections(sections));
    RC_ASSERT(read.size() == sections.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
      RC_ASSERT(read[i].place == sections[i].place);
      RC_ASSERT(read[i].text == sections[i].text);
    }
  }));
}

TEST(AgentSections, AnyBytesAreReadWithoutACrash) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) { (void)ParseSections(bytes); }));
}

}  // namespace
}  // namespace sibyl::expansion
