// SPDX-License-Identifier: Apache-2.0
// Published pages that agents revise, links between pages that are written at
// the same time, and what a publication commits.
#include <gtest/gtest.h>

#include <string>

#include "engine/agent/agent_operations.h"
#include "engine/arguments.h"
#include "engine/evidence_operations.h"
#include "engine/outcome.h"
#include "engine/test_operations.h"
#include "engine/text/render.h"
#include "engine/verify_operations.h"

namespace sibyl::engine {
namespace {

constexpr std::string_view kRevisedPlan = R"(# Knowledge expansion: Gadget

**Topic**: How Gadget is built

## PART 1: How Gadget finds its profiler

- [ ] PART 1: Create gadget/01-profiler.md (~90 lines)

**Step 3: Write**
- [ ] Section 1: Detection (~50 lines)
      - Detection order of the profiler
      - Price of the profiler
- [ ] Section 2: Limits (~50 lines)
      - Largest number of kernels

## PART 2: How Gadget uses streams

- [ ] PART 2: Create gadget/02-streams.md (~90 lines)

**Step 3: Write**
- [ ] Section 1: Streams (~50 lines)
      - Priority of the worker streams
)";

constexpr std::string_view kRevisedOtherPlan = R"(# Knowledge expansion: Widget

## PART 1: Widgets

- [ ] PART 1: Create widget/01-widgets.md (~90 lines)

**Step 3: Write**
- [ ] Section 1: Widgets (~50 lines)
      - Colour of a widget
)";

constexpr const char* kRevisedPlanPath = "_ingest-auto/expansion-gadget/ingestion.md";
constexpr const char* kRevisedOtherPath = "_ingest-auto/expansion-widget/ingestion.md";
constexpr const char* kRevisedPage = "gadget/01-profiler.md";
constexpr const char* kRevisedDetection =
    "### Detection order of the profiler\n\nThe toolkit is asked before the system.[^a]\n\n"
    "[^a]: notes:profiler.md:3\n";
constexpr const char* kRevisedLimits =
    "The largest number of kernels is 64.[^k]\n\n[^k]: notes:profiler.md:5\n";
constexpr const char* kRevisedStreams =
    "Worker streams have the highest priority that the device has.[^a]\n\n"
    "[^a]: notes:streams.md:3\n";

class Revisions : public OperationTest {
 protected:
  Revisions() {
    Write("notes/profiler.md",
          "# Profiler\n\nThe detection order of the profiler is fixed: the toolkit is asked before "
          "the system.\n\nThe largest number of kernels is 64.\n\nThe price of the profiler is 12 "
          "euros.\n\n`high_mark` is 80 % by default, and `low_mark` is 30 %.\n");
    Write("notes/streams.md",
          "# Streams\n\nThe priority of the worker streams is the highest that the device has.\n\n"
          "The colour of a widget is green.\n");
    MakeOracle();
    EXPECT_TRUE(Run(kSourceAdd, {{"origin", (folder_.path() / "notes").string()}}).ok());
    Write(std::string("oracle/") + kRevisedPlanPath, kRevisedPlan);
  }

  void Amend(oracle::Context& context) override {
    context.working_folder = oracle_.value_or(folder_.path());
  }
  Json Answer(const Operation& operation, std::vector<GivenValue> given) {
    Outcome outcome = Done(operation, std::move(given));
    Json data = outcome.data.is_null() ? Json::object() : std::move(outcome.data);
    data["holds"] = outcome.holds;
    data["codes"] = Json::array();
    for (const Finding& finding : outcome.findings) data["codes"].push_back(finding.code);
    return data;
  }
  static std::string Talk(const Outcome& outcome) {
    const Arguments given = *Arguments::Make(kPlanFinalize, {{"plan", kRevisedPage}});
    return kPlanFinalize.render(outcome, {.terminal = {}, .arguments = given}).talk;
  }
  void Draft(const Json& claimed, const std::string& section, const std::string& text) {
    const Json drafted = Answer(
        kPartDraft,
        {{"lease", claimed["lease"].get<std::string>()}, {"section", section}, {"text", text}});
    EXPECT_EQ(drafted["accepted"], true) << drafted.dump(2);
  }
  Json Submit(const Json& claimed) {
    return Answer(kPartSubmit, {{"lease", claimed["lease"].get<std::string>()}});
  }
  Json Finalize(const char* plan = kRevisedPlanPath) {
    return Answer(kPlanFinalize, {{"plan", plan}});
  }
  Json Claim(const std::string& plan, const std::string& part) {
    return Answer(kPartClaim, {{"plan", plan}, {"part", part}});
  }
  void Submit1(const std::string& limits = kRevisedLimits) {
    const Json first = Claim(kRevisedPlanPath, "1");
    Draft(first, "1", kRevisedDetection);
    Draft(first, "2", limits);
    const Json submitted = Submit(first);
    EXPECT_EQ(submitted["accepted"], true) << submitted.dump(2);
  }
  void Submit2(const std::string& streams = kRevisedStreams) {
    const Json second = Claim(kRevisedPlanPath, "2");
    Draft(second, "1", streams);
    const Json submitted = Submit(second);
    EXPECT_EQ(submitted["accepted"], true) << submitted.dump(2);
  }
  void PublishAll() {
    Submit1();
    Submit2();
    const Json published = Finalize();
    EXPECT_EQ(published["totals"]["delivered"], 2) << published.dump(2);
  }
};

TEST_F(Revisions, ASentenceIsCorrectedInOneCall) {
  PublishAll();
  const std::string before = Read(kRevisedPage);
  const std::string commits = Git({"rev-list", "--count", "HEAD"});
  const std::vector<GivenValue> change = {{"page", kRevisedPage},
                                          {"replace", "The largest number of kernels is 64."},
                                          {"with", "64 is the largest number of kernels."}};
  std::vector<GivenValue> trial = change;
  trial.push_back({"dry-run", ""});
  EXPECT_EQ(Answer(kPageCorrect, trial)["published"], false);
  EXPECT_EQ(Read(kRevisedPage), before);
  const Json corrected = Answer(kPageCorrect, change);
  EXPECT_EQ(corrected["published"], true) << corrected.dump(2);
  EXPECT_EQ(corrected["sections"], Json::array({2}));
  const std::string after = Read(kRevisedPage);
  EXPECT_NE(after.find("\n64 is the largest number of kernels.[^p1-2]\n"), std::string::npos)
      << after;
  EXPECT_NE(after.find("The toolkit is asked before the system.[^p1-1]"), std::string::npos);
  EXPECT_EQ(Git({"rev-list", "--count", "HEAD"}), std::to_string(std::stoi(commits) + 1));
  EXPECT_TRUE(Git({"log", "-1", "--format=%s"}).starts_with("gadget/01-profiler.md: corrected"));
  EXPECT_EQ(Answer(kVerify, {})["holds"], true);
}

TEST_F(Revisions, ACorrectionThatIsRefusedLeavesNothingBehind) {
  PublishAll();
  const std::string before = Read(kRevisedPage);
  const std::string commits = Git({"rev-list", "--count", "HEAD"});
  const Json refused =
      Answer(kPageCorrect, {{"page", kRevisedPage}, {"replace", "is 64."}, {"with", "is 65."}});
  EXPECT_EQ(refused["accepted"], false) << refused.dump(2);
  EXPECT_EQ(refused["holds"], false);
  EXPECT_FALSE(
      Run(kPageCorrect, {{"page", kRevisedPage}, {"replace", "nowhere"}, {"with", "x"}}).ok());
  EXPECT_EQ(Read(kRevisedPage), before);
  EXPECT_EQ(Git({"rev-list", "--count", "HEAD"}), commits);
  // Nobody holds the page, and its drafts are what is published.
  const Json claimed = Answer(kPartClaim, {{"plan", kRevisedPage}});
  EXPECT_TRUE(claimed["lease"].is_string()) << claimed.dump(2);
  EXPECT_EQ(claimed["drafted"][1]["text"],
            "The largest number of kernels is 64.[^p1-2]\n\n[^p1-2]: notes:profiler.md:5\n");
  const Result<Outcome> held =
      Run(kPageCorrect, {{"page", kRevisedPage}, {"replace", "is 64."}, {"with", "equals 64."}});
  ASSERT_FALSE(held.ok());
  EXPECT_EQ(held.error().message, "another agent is revising gadget/01-profiler.md");
}

TEST_F(Revisions, APublishedPageIsChangedWhereItIsDraftedAgainAndNowhereElse) {
  PublishAll();
  const std::string before = Read(kRevisedPage);
  const std::string plan = Git({"ls-files", "_ingest-auto"});
  const Json claimed = Answer(kPartClaim, {{"plan", kRevisedPage}});
  EXPECT_EQ(claimed["revises"], kRevisedPage) << claimed.dump(2);
  ASSERT_EQ(claimed["drafted"].size(), 2U);
  EXPECT_EQ(claimed["drafted"][1]["text"],
            "The largest number of kernels is 64.[^p1-2]\n\n[^p1-2]: notes:profiler.md:5\n");
  const std::string lease = claimed["lease"];
  EXPECT_EQ(Answer(kPartShow, {{"lease", lease}, {"section", "2"}})["text"],
            claimed["drafted"][1]["text"]);
  EXPECT_TRUE(Answer(kPartClaim, {{"plan", kRevisedPage}})["lease"].is_null()) << "it is held";
  // The part was published without this point; now it has it.
  Draft(claimed, "1",
        claimed["drafted"][0]["text"].get<std::string>() +
            "\n### Price of the profiler\n\nThe price of the profiler is 12 euros.[^n]\n\n"
            "[^n]: notes:profiler.md:7\n");
  EXPECT_EQ(Submit(claimed)["accepted"], true);
  EXPECT_EQ(Read(kRevisedPage), before) << "nothing is published before finalize";
  const std::string commits = Git({"rev-list", "--count", "HEAD"});
  const Json revised = Answer(
      kPlanFinalize, {{"plan", kRevisedPlanPath}, {"message", "gadget: what the profiler costs"}});
  EXPECT_EQ(revised["revised"], Json::array({kRevisedPage})) << revised.dump(2);
  EXPECT_EQ(revised["holds"], true);
  const std::string after = Read(kRevisedPage);
  EXPECT_NE(after.find("The price of the profiler is 12 euros.[^p1-3]"), std::string::npos)
      << after;
  EXPECT_NE(after.find("3 of 3 citations hold"), std::string::npos) << after;
  EXPECT_EQ(after.find("## Not found"), std::string::npos);
  const auto limits = [](const std::string& page) {
    const std::size_t begin = page.find("## 2. Limits");
    return page.substr(begin, page.find("\n## ", begin) - begin);
  };
  EXPECT_EQ(limits(after), limits(before));
  EXPECT_EQ(Git({"rev-list", "--count", "HEAD"}), std::to_string(std::stoi(commits) + 1));
  EXPECT_TRUE(Git({"log", "-1", "--format=%B"})
                  .starts_with("gadget: what the profiler costs\n\nPlan: _ingest-auto/completed/"));
  // No second plan: only a summary of the revision is new.
  const std::string now = Git({"ls-files", "_ingest-auto", "--", ":!*KNOWLEDGE-DROP*"});
  EXPECT_EQ(now, "_ingest-auto/completed/expansion-gadget/ingestion.md") << plan;
  EXPECT_EQ(Answer(kVerify, {})["holds"], true);
  EXPECT_EQ(Git({"status", "--porcelain", "--untracked-files=no"}), "");
  // A second call finds nothing to do.
  EXPECT_EQ(Finalize()["published"], true);
  EXPECT_EQ(Read(kRevisedPage), after);
}

TEST_F(Revisions, APageThatIsSubmittedUnchangedIsTheSamePage) {
  PublishAll();
  const std::string before = Read(kRevisedPage);
  const Json claimed =
      Answer(kPartClaim, {{"plan", kRevisedPlanPath}, {"part", "1"}, {"revise", ""}});
  EXPECT_EQ(Submit(claimed)["accepted"], true);
  EXPECT_EQ(Answer(kPlanStatus, {{"plan", kRevisedPlanPath}})["parts"][0]["revision"], "done");
  const Outcome unchanged = Done(kPlanFinalize, {{"plan", kRevisedPage}});
  EXPECT_TRUE(unchanged.holds);
  EXPECT_NE(Talk(unchanged).find("no page has changed"), std::string::npos);
  EXPECT_EQ(Read(kRevisedPage), before);
  EXPECT_FALSE(Answer(kPlanStatus, {{"plan", kRevisedPlanPath}})["parts"][0].contains("revision"));
}

TEST_F(Revisions, AChangeThatSomebodyElseMadeIsNotOverwritten) {
  PublishAll();
  const Json claimed = Answer(kPartClaim, {{"plan", kRevisedPage}});
  Draft(claimed, "2",
        "There are at most 64 kernels, the largest number.[^k]\n\n[^k]: notes:profiler.md:5\n");
  EXPECT_EQ(Submit(claimed)["accepted"], true);
  std::string edited = Read(kRevisedPage);
  edited.replace(edited.find("The toolkit"), 11, "A toolkit");
  Write(std::string("oracle/") + kRevisedPage, edited);
  const Json refused = Finalize();
  EXPECT_EQ(refused["published"], false) << refused.dump(2);
  EXPECT_EQ(refused["codes"], Json::array({"part/changed"}));
  const Outcome shown = Done(kPlanFinalize, {{"plan", kRevisedPage}});
  EXPECT_FALSE(shown.holds);
  EXPECT_NE(Talk(shown).find("nothing was published"), std::string::npos);
  EXPECT_EQ(Read(kRevisedPage), edited);
  // Claimed again, its drafts have the new text.
  const Json again = Answer(kPartClaim, {{"plan", kRevisedPage}});
  EXPECT_NE(again["drafted"][0]["text"].get<std::string>().find("A toolkit"), std::string::npos);
}

TEST_F(Revisions, WhatCannotBeRevisedIsReported) {
  PublishAll();
  Write("oracle/gadget/09-mine.md", "# Mine\n");
  const auto no_plan = Run(kPartClaim, {{"plan", "gadget/09-mine.md"}});
  ASSERT_FALSE(no_plan.ok());
  EXPECT_NE(no_plan.error().message.find("no plan"), std::string::npos);
  const auto nothing = Run(kPlanFinalize, {{"plan", kRevisedPage}});
  ASSERT_FALSE(nothing.ok());
  EXPECT_NE(nothing.error().message.find("no revision"), std::string::npos);
}

TEST_F(Revisions, ASubmittedPartIsTakenBackWithItsSections) {
  Submit1();
  const Json taken =
      Answer(kPartClaim, {{"plan", kRevisedPlanPath}, {"part", "1"}, {"revise", ""}});
  ASSERT_EQ(taken["drafted"].size(), 2U) << taken.dump(2);
  EXPECT_EQ(Submit(taken)["accepted"], true);
}

TEST_F(Revisions, PagesOfOnePlanLinkToEachOtherAndArePublishedTogether) {
  Submit1(
      "The largest number of kernels is 64.[^k] See "
      "[How Gadget uses streams](02-streams.md#1-streams).\n\n[^k]: notes:profiler.md:5\n");
  const Json waits = Finalize();
  EXPECT_EQ(waits["published"], false);
  EXPECT_EQ(waits["codes"], Json::array({"part/links"})) << waits.dump(2);
  Submit2(
      "Worker streams have the highest priority that the device has.[^a] See "
      "[How Gadget finds its profiler](01-profiler.md).\n\n[^a]: notes:streams.md:3\n");
  const Json published = Finalize();
  EXPECT_EQ(published["totals"]["delivered"], 2) << published.dump(2);
  EXPECT_EQ(Answer(kVerify, {})["holds"], true);
}

TEST_F(Revisions, APageWaitsForThePageOfAnotherPlan) {
  Write(std::string("oracle/") + kRevisedOtherPath, kRevisedOtherPlan);
  Submit1(
      "The largest number of kernels is 64.[^k] See [Widgets](../widget/01-widgets.md).\n\n"
      "[^k]: notes:profiler.md:5\n");
  Submit2();
  const Json some = Finalize();
  EXPECT_EQ(some["totals"]["delivered"], 1) << some.dump(2);
  EXPECT_EQ(some["codes"], Json::array({"part/links"}));
  const Json widget = Claim(kRevisedOtherPath, "1");
  Draft(widget, "1",
        "The colour of a widget is green.[^a] See [the profiler](../gadget/01-profiler.md).\n\n"
        "[^a]: notes:streams.md:5\n");
  EXPECT_EQ(Submit(widget)["accepted"], true);
  // Both wait for each other: one is published without its link.
  EXPECT_EQ(Finalize(kRevisedOtherPath)["codes"], Json::array({"part/links"}));
  const Json back =
      Answer(kPartClaim, {{"plan", kRevisedOtherPath}, {"part", "1"}, {"revise", ""}});
  Draft(back, "1", "The colour of a widget is green.[^a]\n\n[^a]: notes:streams.md:5\n");
  EXPECT_EQ(Submit(back)["accepted"], true);
  EXPECT_EQ(Finalize(kRevisedOtherPath)["totals"]["delivered"], 1);
  EXPECT_EQ(Finalize()["totals"]["delivered"], 1);
  EXPECT_EQ(Answer(kVerify, {})["holds"], true);
}

TEST_F(Revisions, AHeadingThatThePublishedPageDoesNotHaveIsABrokenLink) {
  Submit1(
      "The largest number of kernels is 64.[^k] See "
      "[How Gadget uses streams](02-streams.md#9-nothing).\n\n[^k]: notes:profiler.md:5\n");
  Submit2();
  const Json refused = Finalize();
  EXPECT_EQ(refused["holds"], false) << refused.dump(2);
  EXPECT_EQ(refused["codes"], Json::array({"part/refused"}));
  EXPECT_EQ(refused["totals"]["delivered"], 1) << "the other one is published";
}

TEST_F(Revisions, AWriterAddsLinesToNotFound) {
  Submit1(std::string(kRevisedLimits) + "\n### Not found\n\n- Smallest number of kernels\n");
  EXPECT_EQ(Finalize()["totals"]["delivered"], 1);
  const std::string page = Read(kRevisedPage);
  EXPECT_NE(page.find("- *Smallest number of kernels*: the writer found no source for it."),
            std::string::npos)
      << page;
  const Json claimed = Answer(kPartClaim, {{"plan", kRevisedPage}});
  EXPECT_NE(claimed["drafted"][1]["text"].get<std::string>().find("- Smallest number of kernels\n"),
            std::string::npos)
      << claimed.dump(2);
  const Json refused = Answer(
      kPartDraft, {{"lease", claimed["lease"].get<std::string>()},
                   {"section", "2"},
                   {"text", std::string(kRevisedLimits) + "\n### Not found\n\nIt is slow.\n"}});
  EXPECT_EQ(refused["codes"], Json::array({"draft/not-found"})) << refused.dump(2);
}

TEST_F(Revisions, ThatANameDoesNotExistIsCited) {
  Submit1(
      "The largest number of kernels is 64.[^k] The notes have no option `max_kernels`.[^n]\n\n"
      "[^k]: notes:profiler.md:5\n[^n]: absent:notes:max_kernels\n");
  EXPECT_EQ(Finalize()["totals"]["delivered"], 1);
  EXPECT_NE(Read(kRevisedPage).find("has no max\\_kernels <!-- absent:swh:1:dir:"),
            std::string::npos)
      << Read(kRevisedPage);
  EXPECT_EQ(Answer(kVerify, {})["holds"], true);
  const Json claimed = Answer(kPartClaim, {{"plan", kRevisedPage}});
  const auto codes = [&](const std::string& text) {
    return Answer(kPartDraft, {{"lease", claimed["lease"].get<std::string>()},
                               {"section", "2"},
                               {"text", std::string(kRevisedLimits) + text}})["codes"];
  };
  EXPECT_NE(codes("[^n]: absent:notes:kernels\n\nThere is no name `kernels`.[^n]\n")
                .dump()
                .find("cite/unresolved"),
            std::string::npos)
      << "the notes have that word";
  EXPECT_EQ(codes("[^n]: absent:notes:fast\n\nIt is not `fast`, because of the bus.[^n]\n"),
            Json::array({"support/ungrounded"}));
  EXPECT_EQ(
      codes("[^n]: absent:nots:fast\n\nThere is no `fast`.[^n]\n").dump().find("draft/citation"),
      2U);
}

TEST_F(Revisions, ASectionLinksToAHeadingThatIsDraftedLater) {
  const Json first = Claim(kRevisedPlanPath, "1");
  Draft(first, "1", "See [Limits](#2-limits).\n\n" + std::string(kRevisedDetection));
  Draft(first, "2", kRevisedLimits);
  EXPECT_EQ(Submit(first)["accepted"], true);
  const Json back = Answer(kPartClaim, {{"plan", kRevisedPlanPath}, {"part", "1"}, {"revise", ""}});
  Draft(back, "1", "See [Limits](#3-limits).\n\n" + std::string(kRevisedDetection));
  EXPECT_EQ(Submit(back)["codes"], Json::array({"link/broken"})) << "the whole page is checked";
}

TEST_F(Revisions, StatementsThatAreNotDecidedAreNotes) {
  const Json first = Claim(kRevisedPlanPath, "1");
  const Json drafted =
      Answer(kPartDraft, {{"lease", first["lease"].get<std::string>()},
                          {"section", "2"},
                          {"text",
                           "The largest level that a pump of the marks may hold is 80 %.[^k]\n\n"
                           "[^k]: notes:profiler.md:9\n"}});
  EXPECT_EQ(drafted["accepted"], true) << drafted.dump(2);
  EXPECT_EQ(drafted["statements"]["undecided"], 1) << drafted.dump(2);
  EXPECT_EQ(drafted["codes"], Json::array({"support/undecided"}));
}

TEST_F(Revisions, TheCommitHasWhatThePagesAreCheckedAgainst) {
  PublishAll();
  const std::string files = Git({"ls-files"});
  EXPECT_NE(files.find("sibyl.toml"), std::string::npos) << files;
  EXPECT_NE(files.find("sibyl.lock"), std::string::npos) << files;
  EXPECT_NE(Read("SKILL.md").find("How Gadget finds its profiler; How Gadget uses streams"),
            std::string::npos);
}

}  // namespace
}  // namespace sibyl::engine
