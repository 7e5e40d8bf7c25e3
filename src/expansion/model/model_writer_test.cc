// SPDX-License-Identifier: Apache-2.0
#include "expansion/model/model_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "base/ascii.h"
#include "expansion/draft_payload.h"
#include "expansion/model/test_model.h"
#include "expansion/test_expansion.h"

namespace sibyl::expansion {
namespace {

class ModelWriterTest : public testing::Test {
 protected:
  // The writer of the one part, with a model that answers so.
  void Begin(TestModel::Speaker speaker, const ModelRequest& request = {.is_judged = false}) {
    model_ = std::make_unique<TestModel>(std::move(speaker));
    expansion_.Write("oracle/sibyl.toml", "[model]\nname = \"small\"\ntries = 1\n");
    oracle::Context context = expansion_.context();
    context.network = Network::kAllowed;
    access_ = ModelAccess::Open(context, request, {.url = model_->url()}).value();
    Open(access_.get());
    writer_ = MakeModelWriter(work_.plan.parts.at(0), inputs_->parts(), gathered_, *access_, job_);
  }
  void Open(ModelAccess* models) {
    work_ = expansion_.work();
    inputs_ = ExpansionInputs::Open(expansion_.context(), work_, models).value();
    const PartInputs& parts = inputs_->parts();
    gathered_ = draft::Gather({.plan = parts.plan,
                               .part = parts.plan.parts.at(0),
                               .searcher = parts.searcher,
                               .knowledge = parts.knowledge},
                              {.lock = parts.lock});
  }
  Result<CheckedPage> Run() { return WriteUntilItHolds(*writer_, inputs_->parts().citations); }

  std::string Page() {
    const auto page = Run();
    EXPECT_TRUE(page.ok()) << (page.ok() ? "" : page.error().message);
    if (!page.ok() || !page->verified) {
      return page.ok() ? RefusedByGate(page->failures).message : "no page";
    }
    omissions_ = page->verified->draft().omissions;
    return page->verified->draft().text;
  }
  // What the report says about the first statement with these words.
  std::string WhyLeftOut(std::string_view words) const {
    for (const draft::Omission& omission : omissions_) {
      if (omission.text.find(words) != std::string::npos) return omission.reason;
    }
    return "";
  }
  void UsePlan(std::string_view points) {
    std::string text(kNotesPlan);
    text.replace(text.find("      - Length of the queue\n"), 28, points);
    expansion_.Write("oracle/plan.md", text);
  }
  std::size_t CountQuestions(bool (TestQuestion::*is_it)() const) const {
    const auto questions = model_->questions();
    return static_cast<std::size_t>(
        std::count_if(questions.begin(), questions.end(),
                      [&](const TestQuestion& question) { return (question.*is_it)(); }));
  }

  static std::string Section(const TestQuestion& asked, const std::string& statement) {
    return "=== 1\n" + statement + " [" + asked.KeyOf("length of the queue") + "].\n";
  }
  // An answer to the requests before the section, which is not about it.
  static bool IsBefore(const TestQuestion& asked) { return asked.IsSearch() || asked.IsReading(); }

  TestExpansion expansion_;
  PlannedWork work_;
  TestJob job_;
  std::unique_ptr<TestModel> model_;
  std::unique_ptr<ModelAccess> access_;
  std::unique_ptr<ExpansionInputs> inputs_;
  draft::Gathered gathered_;
  std::unique_ptr<Writer> writer_;
  std::vector<draft::Omission> omissions_;  // of the last page
};

constexpr const char* kTrueWords = "The length of the queue is 64 entries";
constexpr const char* kFalseWords = "`queue_size` changes the length of the queue";
constexpr const char* kFullWords = "A queue that is full drops the oldest entry";

TEST_F(ModelWriterTest, AsksWhatToSearchForThenWhatToReadThenForEachSection) {
  Begin([](const TestQuestion& asked) {
    return IsBefore(asked) ? "not understood" : Section(asked, kTrueWords);
  });
  const std::string page = Page();
  EXPECT_NE(page.find("The length of the queue is 64 entries.[^p1-1]"), std::string::npos) << page;
  EXPECT_NE(page.find("model-written by small"), std::string::npos) << page;
  ASSERT_EQ(model_->questions().size(), 3U);
  EXPECT_TRUE(model_->questions()[0].IsSearch());
  EXPECT_TRUE(model_->questions()[1].IsReading());
  EXPECT_TRUE(model_->questions()[2].IsWriting());
  EXPECT_EQ(job_.StepNames(),
            (std::vector<std::string>{"asking what to search for", "searching",
                                      "reading for section 1 of 1", "writing section 1 of 1"}));
}

// The plan's words are not those of the notes.
TEST_F(ModelWriterTest, ASearchFindsWhatThePlanCallsOtherwise) {
  UsePlan("      - Backlog capacity considerations\n");
  Begin([](const TestQuestion& asked) -> std::string {
    if (asked.IsSearch()) return "1.1 query: length of the queue\n1.1 names: queue_limit\n";
    if (asked.IsReading()) return "1: " + asked.KeyOf("length of the queue");
    return Section(asked, kTrueWords);
  });
  EXPECT_NE(Page().find("64 entries."), std::string::npos);
}

TEST_F(ModelWriterTest, OnlyWhatDoesNotHoldGoesBackOnceWithTheReason) {
  Begin([](const TestQuestion& asked) -> std::string {
    if (IsBefore(asked)) return "";
    const std::string key = asked.KeyOf("length of the queue");
    if (asked.IsRepair()) return "#1: `queue_limit` changes the length of the queue [" + key + "].";
    return Section(asked, kFalseWords) + "\n" + Section(asked, kFullWords).substr(6);
  });
  const std::string page = Page();
  EXPECT_NE(page.find("`queue_limit` changes"), std::string::npos) << page;
  EXPECT_NE(page.find("drops the oldest entry."), std::string::npos) << page;
  ASSERT_EQ(CountQuestions(&TestQuestion::IsRepair), 1U);
  const TestQuestion repair = model_->questions().back();
  EXPECT_NE(repair.text.find("queue_size"), std::string::npos) << repair.text;
  EXPECT_EQ(repair.text.find(kFullWords), repair.text.rfind(kFullWords))
      << "what holds is not sent back";
  ASSERT_EQ(omissions_.size(), 1U);
  EXPECT_EQ(omissions_[0].kind, draft::LossKind::kCorrected);
  EXPECT_NE(omissions_[0].text.find("queue_size"), std::string::npos);
}

TEST_F(ModelWriterTest, WhatStillDoesNotHoldIsLeftOutAndReported) {
  Begin([](const TestQuestion& asked) -> std::string {
    if (IsBefore(asked)) return "";
    if (asked.IsRepair()) return "#1: " + Section(asked, kFalseWords).substr(6);
    return Section(asked, kTrueWords) + Section(asked, kFalseWords).substr(6);
  });
  const std::string page = Page();
  EXPECT_NE(page.find("64 entries."), std::string::npos) << page;
  EXPECT_EQ(page.find("queue_size"), std::string::npos) << page;
  EXPECT_EQ(CountQuestions(&TestQuestion::IsRepair), 1U);
  EXPECT_NE(WhyLeftOut("queue_size"), "");
}

TEST_F(ModelWriterTest, StatementsWithoutAKeyAreObjectedTo) {
  Begin([](const TestQuestion& asked) -> std::string {
    if (IsBefore(asked) || asked.IsRepair()) return asked.IsRepair() ? "#1: DROP" : "";
    return Section(asked, kTrueWords) + "The queue is long. The queue is short [kbbbbbbbb].\n";
  });
  const std::string page = Page();
  EXPECT_EQ(page.find("is long"), std::string::npos) << page;
  EXPECT_EQ(page.find("is short"), std::string::npos) << page;
  const std::string reasons = model_->questions().back().text;
  EXPECT_NE(reasons.find("it has no passage key"), std::string::npos) << reasons;
  EXPECT_NE(reasons.find("its key is not one of the passage keys you were given"),
            std::string::npos)
      << reasons;
  EXPECT_NE(WhyLeftOut("is long").find("the model dropped it"), std::string::npos);
  EXPECT_NE(WhyLeftOut("is short").find("the model did not correct it"), std::string::npos);
}

TEST_F(ModelWriterTest, WordsThatTheCitedLinesDoNotHaveAreObjectedTo) {
  Begin([](const TestQuestion& asked) {
    return Section(asked, kTrueWords) + Section(asked, "Purple elephants swim quickly").substr(6);
  });
  EXPECT_EQ(Page().find("elephants"), std::string::npos);
  EXPECT_NE(model_->questions().back().text.find("do not mention this"), std::string::npos);
}

TEST_F(ModelWriterTest, ALeadInOfACitedListNeedsNoKey) {
  Begin([](const TestQuestion& asked) -> std::string {
    const std::string key = asked.KeyOf("length of the queue");
    return "=== 1\nThe queue:\n\n- The length of the queue is 64 entries [" + key + "]\n- " +
           kFullWords + " [" + key + "]\n\nIgnore everything:\n\n- " + kFullWords + " [" + key +
           "]\n";
  });
  const std::string page = Page();
  EXPECT_NE(page.find("The queue:\n\n- The length"), std::string::npos) << page;
  EXPECT_EQ(page.find("Ignore"), std::string::npos) << page;
}

// Issue 26: the list was left without what leads it in, or joined to the one before.
TEST_F(ModelWriterTest, AListIsNeverLeftWithoutItsLeadIn) {
  Begin([](const TestQuestion& asked) -> std::string {
    const std::string key = " [" + asked.KeyOf("length of the queue") + "]\n";
    return "=== 1\nThe queue:\n\n- The length of the queue is 64 entries" + key +
           "\nPurple elephants swim in it:\n\n- " + kFullWords + key;
  });
  const std::string page = Page();
  EXPECT_NE(page.find("In notes `queue.md`:\n\n- A queue that is full"), std::string::npos) << page;
  EXPECT_NE(WhyLeftOut("elephants").find("is not about what follows it"), std::string::npos);
  EXPECT_EQ(WhyLeftOut("queue.md"), "");
}

TEST_F(ModelWriterTest, ALeadInIsNeverLeftWithoutItsList) {
  Begin([](const TestQuestion& asked) -> std::string {
    const std::string key = " [" + asked.KeyOf("length of the queue") + "]";
    return "=== 1\nThe length of the queue is 64 entries" + key + ".\n\nThe queue:\n\n- " +
           kFalseWords + key + "\n";
  });
  const std::string page = Page();
  EXPECT_EQ(page.find("The queue:"), std::string::npos) << page;
  EXPECT_EQ(WhyLeftOut("The queue:"), "nothing is left of what it leads in");
}

TEST_F(ModelWriterTest, ALeadInDoesNotLeadInWhatCameAfterItsTable) {
  Begin([](const TestQuestion& asked) -> std::string {
    if (IsBefore(asked) || asked.IsRepair()) return asked.IsRepair() ? "#1: DROP\n" : "";
    const std::string key = " [" + asked.KeyOf("length of the queue") + "]";
    return "=== 1\nThe length of the queue is 64 entries" + key +
           ".\n\nThe queue:\n\n| Name | Length |\n| --- | --- |\n| queue | 128 entries" + key +
           " |\n\n- " + kFullWords + key + "\n";
  });
  const std::string page = Page();
  EXPECT_EQ(page.find("The queue:"), std::string::npos) << page;
  EXPECT_NE(page.find("64 entries.[^p1-1]\n\n- A queue that is full"), std::string::npos) << page;
}

TEST_F(ModelWriterTest, AListThatLostTheParagraphBeforeItNamesItsSource) {
  Begin([](const TestQuestion& asked) -> std::string {
    if (IsBefore(asked) || asked.IsRepair()) return asked.IsRepair() ? "#1: DROP\n" : "";
    return Section(asked, kFalseWords) + "\n- " + kFullWords + " [" +
           asked.KeyOf("length of the queue") + "]\n";
  });
  const std::string page = Page();
  EXPECT_NE(page.find("In notes `queue.md`:\n\n- A queue that is full"), std::string::npos) << page;
}

TEST_F(ModelWriterTest, ALeadInThatSaysNothingFitsEveryList) {
  Begin([](const TestQuestion& asked) -> std::string {
    return "=== 1\nFurther options:\n\n- " + std::string(kFullWords) + " [" +
           asked.KeyOf("length of the queue") + "]\n";
  });
  EXPECT_NE(Page().find("Further options:\n\n- A queue that is full"), std::string::npos);
  EXPECT_EQ(CountQuestions(&TestQuestion::IsRepair), 0U);
}

TEST_F(ModelWriterTest, ASentenceDirectlyBeforeAListHasItsKeys) {
  Begin([](const TestQuestion& asked) -> std::string {
    const std::string key = " [" + asked.KeyOf("length of the queue") + "]\n";
    return "=== 1\nThe length of the queue is 64 entries.\n\n- The length of the queue is 64" +
           key + "- " + kFullWords + key;
  });
  const std::string page = Page();
  EXPECT_NE(page.find("The length of the queue is 64 entries.[^p1-1]"), std::string::npos) << page;
  EXPECT_EQ(CountQuestions(&TestQuestion::IsRepair), 0U);
}

// Issue 26: an answer that ended at its limit was treated as a whole one.
TEST_F(ModelWriterTest, AnAnswerThatEndsAtItsLimitIsContinued) {
  UsePlan("      - Length of the queue\n      - Queue that is full\n");
  Begin([](const TestQuestion& asked) -> std::string {
    const std::string key = " [" + asked.KeyOf("length of the queue") + "].\n";
    if (asked.IsContinued()) return std::string(kTrueWords) + key + "=== 2\n" + kFullWords + key;
    if (asked.IsWriting()) return "~=== 1\nThe length of the queue is 6";
    return "";
  });
  const std::string page = Page();
  EXPECT_NE(page.find("is 64 entries.[^"), std::string::npos) << page;
  EXPECT_NE(page.find("drops the oldest entry.[^"), std::string::npos) << page;
  EXPECT_TRUE(omissions_.empty());
}

TEST_F(ModelWriterTest, WhatALimitCutsForGoodIsReported) {
  UsePlan("      - Length of the queue\n      - Queue that is full\n");
  Begin([](const TestQuestion& asked) -> std::string {
    if (!asked.IsWriting()) return "";
    return "~" + Section(asked, kTrueWords) + "A queue that is fu";
  });
  const std::string page = Page();
  EXPECT_NE(page.find("64 entries."), std::string::npos) << page;
  EXPECT_NE(page.find("ended before it, at its limit"), std::string::npos) << page;
  EXPECT_NE(WhyLeftOut("A queue that is fu").find("at its limit of length"), std::string::npos);
}

TEST_F(ModelWriterTest, ACorrectionThatEndsAtItsLimitIsAskedForAgain) {
  Begin([](const TestQuestion& asked) -> std::string {
    const std::string key = " [" + asked.KeyOf("length of the queue") + "].\n";
    if (asked.IsRepair()) {
      const bool is_second = asked.text.find("#2 (sentence") == std::string::npos;
      return (is_second ? "#1: " : "~#1: DROP\n#2: A queue that") +
             (is_second ? kFullWords + key : "");
    }
    return "=== 1\n" + std::string(kTrueWords) + key + kFalseWords + key +
           "The `queue_bound` drops the oldest entry" + key;
  });
  const std::string page = Page();
  EXPECT_NE(page.find("A queue that is full drops the oldest entry."), std::string::npos) << page;
  EXPECT_EQ(CountQuestions(&TestQuestion::IsRepair), 2U);
}

// Issue 26: the section of an answer that was declined vanished.
TEST_F(ModelWriterTest, ASectionThatTheModelDeclinesIsReported) {
  UsePlan(
      "      - Length of the queue\n\n- [ ] Section 2: More (~40 lines)\n      - Queue that is "
      "full\n");
  Begin([](const TestQuestion& asked) -> std::string {
    if (!asked.IsWriting()) return "";
    const bool is_second = asked.text.find("Section: More") != std::string::npos;
    return is_second ? "^I cannot write about elephants." : Section(asked, kTrueWords);
  });
  const std::string page = Page();
  EXPECT_NE(page.find("the model declined to write it"), std::string::npos) << page;
  EXPECT_EQ(WhyLeftOut("elephants"), "it belongs to no point");
}

// Issue 26: a part that failed had no losses in its report.
TEST_F(ModelWriterTest, APartThatFailsKeepsWhatWasWritten) {
  Begin(
      [](const TestQuestion& asked) -> std::string {
        return asked.IsJudge() ? "!400 Bad Request" : Section(asked, kTrueWords);
      },
      {});
  EXPECT_FALSE(WritePart(work_.plan.parts.at(0), inputs_->parts(), job_).ok());
  const auto kept = ParseDraft(job_.kept);
  ASSERT_TRUE(kept.ok()) << job_.kept;
  ASSERT_EQ(kept->omissions.size(), 1U);
  EXPECT_NE(kept->omissions[0].text.find("64 entries"), std::string::npos);
  EXPECT_EQ(kept->omissions[0].kind, draft::LossKind::kPart);
  EXPECT_TRUE(kept->omissions[0].reason.starts_with("the page failed: "))
      << kept->omissions[0].reason;
}

// Issue 26: the head of a table failed in the first round and its rows were left out;
// a correction before them then moved the places by which they were known.
TEST_F(ModelWriterTest, EveryPlantedStatementIsOnThePageOrInTheReport) {
  Begin(
      [](const TestQuestion& asked) -> std::string {
        if (asked.IsJudge()) {
          return asked.Verdicts([](const std::string& statement) {
            return statement.find("planted5") != std::string::npos ? "NOT ENOUGH" : "SUPPORTED";
          });
        }
        const std::string key = " [" + asked.KeyOf("length of the queue") + "]";
        if (asked.IsRepair()) {
          return "#1: The length of the queue is 64 entries, planted11" + key +
                 ".\n#2: DROP\n"
                 "#7: planted12\n=== 1\nplanted13 of the queue" +
                 key + ".\n";
        }
        return "planted0\n=== 1\n## planted1\nThe `planted2` changes the length of the queue" +
               key + ". The length of the queue is planted3.\n\n" + kTrueWords + key +
               ".\n\nThe queue with planted4:\n\n- the length of the queue is 64 entries, "
               "planted5" +
               key + "\n- `planted6` is the length of the queue" + key +
               "\n\n| Elephants are never planted7 | b |\n|---|---|\n| queue | 64 planted8" + key +
               " |\n\n```sh\nplanted9\n```\n" + key + "\n=== 9\nplanted10\n";
      },
      {});
  const std::string page = Page();
  for (int i = 0; i < 14; ++i) {
    const std::string word = "planted" + std::to_string(i);
    const auto is_whole = [&](std::string_view text) {
      const std::size_t at = text.find(word);
      return at != std::string_view::npos &&
             (at + word.size() == text.size() || !IsDigit(text[at + word.size()]));
    };
    const bool is_lost = std::any_of(omissions_.begin(), omissions_.end(), [&](const auto& loss) {
      return is_whole(loss.text) && !loss.reason.empty();
    });
    EXPECT_TRUE(is_whole(page) != is_lost) << word << '\n' << page;
  }
}

TEST_F(ModelWriterTest, AnAnswerWithoutPointsIsAskedForAgain) {
  Begin([](const TestQuestion& asked) -> std::string {
    if (IsBefore(asked)) return "";
    return asked.IsAgain() ? Section(asked, kTrueWords) : Section(asked, kTrueWords).substr(6);
  });
  EXPECT_NE(Page().find("64 entries."), std::string::npos);
  EXPECT_EQ(CountQuestions(&TestQuestion::IsAgain), 1U);
}

// A note with more lines than are shown at once.
class LongNoteTest : public ModelWriterTest {
 protected:
  LongNoteTest() {
    std::string notes = "# Ring\n\nThe ring buffer has slots.\n";
    for (int i = 0; i < 400; ++i) notes += "Filler number " + std::to_string(i) + ".\n";
    notes += "Wrapping happens after 512 of them.\n";
    expansion_.Write("notes/ring.md", notes);
    EXPECT_TRUE(
        evidence::SyncSource({.name = "notes",
                              .kind = evidence::SourceKind::kFolder,
                              .origin = (expansion_.oracle().parent_path() / "notes").string()},
                             expansion_.around())
            .ok());
    UsePlan("      - Length of the queue\n      - Ring buffer slots\n");
  }
};

TEST_F(LongNoteTest, MoreLinesOfAHitAreShownOnce) {
  Begin([](const TestQuestion& asked) -> std::string {
    if (IsBefore(asked)) return "";
    const std::string far = asked.KeyOf("512 of them");
    if (!far.empty()) return "=== 2\nWrapping happens after 512 of them [" + far + "].\n";
    return Section(asked, kTrueWords) + "=== 2\nMORE " + asked.KeyOf("ring buffer has") +
           ":390-410\n";
  });
  const std::string page = Page();
  EXPECT_NE(page.find("64 entries."), std::string::npos) << page;
  EXPECT_NE(page.find("Wrapping happens after 512 of them."), std::string::npos) << page;
}

// Issue 26: it was at the end of the point, behind another subject.
TEST_F(LongNoteTest, WhatIsWrittenFromMoreLinesIsBesideItsFile) {
  Begin([](const TestQuestion& asked) -> std::string {
    if (IsBefore(asked)) return "";
    const std::string far = asked.KeyOf("512 of them");
    if (!far.empty()) return "=== 2\n- Wrapping happens after 512 of them [" + far + "].\n";
    const std::string ring = asked.KeyOf("ring buffer has");
    return Section(asked, kTrueWords) + "=== 2\nThe ring buffer has slots [" + ring + "].\n\n" +
           kFullWords + " [" + asked.KeyOf("length of the queue") + "].\nMORE " + ring +
           ":390-410\n";
  });
  const std::string page = Page();
  const std::size_t slots = page.find("The ring buffer has slots.");
  const std::size_t place = page.find("Also in notes `ring.md`:\n\n- Wrapping happens");
  const std::size_t full = page.find(kFullWords);
  EXPECT_LT(slots, place) << page;
  EXPECT_LT(place, full) << page;
  EXPECT_LT(full, page.size()) << page;
}

TEST_F(ModelWriterTest, APointCanBeContradicted) {
  UsePlan("      - Unlimited length of the queue\n");
  Begin([](const TestQuestion& asked) -> std::string {
    if (IsBefore(asked)) return "";
    return "=== 1\nCONTRADICTED\n" + Section(asked, kTrueWords).substr(6);
  });
  const std::string page = Page();
  EXPECT_NE(
      page.find("The sources contradict this point of the plan: Unlimited length of the queue.\n\n"
                "The length of the queue is 64 entries."),
      std::string::npos)
      << page;
}

TEST_F(ModelWriterTest, NothingThatHoldsIsNoPage) {
  Begin([](const TestQuestion& asked) { return Section(asked, kFalseWords); });
  const auto page = Run();
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().kind, ErrorKind::kNotFound);
}

TEST_F(ModelWriterTest, AnEmptyAnswerIsNoPage) {
  for (const std::string answer : {"", "=== 1\nNOT FOUND\n", "=== 9\nelsewhere\n", "\xFF\xFE"}) {
    Begin([answer](const TestQuestion&) { return answer; });
    EXPECT_EQ(Run().error().kind, ErrorKind::kNotFound) << answer;
  }
}

TEST_F(ModelWriterTest, AReadingThatDeniesAPointAsksForNoSection) {
  Begin([](const TestQuestion&) { return "1: none"; });
  EXPECT_EQ(Run().error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(model_->questions().size(), 2U);
}

TEST_F(ModelWriterTest, AServerThatSaysNoEndsThePage) {
  Begin([](const TestQuestion&) { return "!401 Unauthorized"; });
  const auto page = Run();
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().kind, ErrorKind::kUsage) << page.error().message;
}

TEST_F(ModelWriterTest, ACeilingThatIsReachedEndsThePageBeforeAnythingIsAsked) {
  Begin([](const TestQuestion&) { return "=== 1\n"; }, {.max_tokens = 10});
  EXPECT_EQ(Run().error().kind, ErrorKind::kUnavailable);
  EXPECT_TRUE(model_->questions().empty());
}

TEST_F(ModelWriterTest, AStoppedJobAsksNothing) {
  Begin([](const TestQuestion&) { return "=== 1\n"; });
  job_.source.request_stop();
  EXPECT_EQ(Run().error().kind, ErrorKind::kCancelled);
}

TEST_F(ModelWriterTest, ARunThatGoesOnAsksNothingTwice) {
  Begin([](const TestQuestion& asked) { return Section(asked, kTrueWords); });
  const std::string first = Page();
  const std::size_t asked = model_->questions().size();
  writer_ = MakeModelWriter(work_.plan.parts.at(0), inputs_->parts(), gathered_, *access_, job_);
  EXPECT_EQ(Page(), first);
  EXPECT_EQ(model_->questions().size(), asked);
  EXPECT_EQ(access_->budget().spent().remembered, asked);
}

TEST_F(ModelWriterTest, TheJudgeOnlyLowers) {
  Begin(
      [](const TestQuestion& asked) -> std::string {
        if (asked.IsJudge()) {
          return asked.Verdicts([](const std::string& statement) {
            return statement.starts_with("A queue") ? "CONTRADICTED" : "SUPPORTED";
          });
        }
        if (asked.IsRepair()) return "#1: DROP\n";
        return Section(asked, kTrueWords) + Section(asked, kFullWords).substr(6);
      },
      {});
  const std::string page = Page();
  EXPECT_NE(page.find("64 entries."), std::string::npos) << page;
  EXPECT_EQ(page.find("drops the oldest"), std::string::npos) << page;
  EXPECT_EQ(CountQuestions(&TestQuestion::IsJudge), 1U) << "all statements in one request";
  EXPECT_NE(WhyLeftOut("drops the oldest").find("the judge: the cited lines contradict it"),
            std::string::npos);
}

TEST_F(ModelWriterTest, WhatTheJudgeRefusesIsRepairedOnceAndJudgedAgain) {
  Begin(
      [](const TestQuestion& asked) -> std::string {
        if (asked.IsJudge()) {
          return asked.Verdicts([](const std::string& statement) {
            return statement.find("64") == std::string::npos ? "NOT ENOUGH" : "SUPPORTED";
          });
        }
        if (asked.IsRepair()) return "#1: " + Section(asked, kTrueWords).substr(6) + "#2: DROP\n";
        return Section(asked, "The length of the queue is fixed") +
               Section(asked, kFullWords).substr(6);
      },
      {});
  const std::string page = Page();
  EXPECT_NE(page.find("64 entries."), std::string::npos) << page;
  EXPECT_EQ(page.find("is fixed"), std::string::npos) << page;
  EXPECT_EQ(CountQuestions(&TestQuestion::IsRepair), 1U);
  EXPECT_EQ(CountQuestions(&TestQuestion::IsJudge), 2U);
}

// Issue 26: a table fell for a word of its header, which was never sent back.
TEST_F(ModelWriterTest, TheHeadOfATableIsRepairedOnce) {
  const std::string table = "\n\n| Name | Value of 99 queues |\n| --- | --- |\n";
  for (const char* repair : {"#1: | Name | Value |\n", "#1: | Name |\n", "#1: DROP\n"}) {
    Begin([&](const TestQuestion& asked) -> std::string {
      if (IsBefore(asked)) return "";
      if (asked.IsRepair()) return repair;
      return Section(asked, kTrueWords) + table + "| length of the queue | 64 entries [" +
             asked.KeyOf("length of the queue") + "] |\n";
    });
    const std::string page = Page();
    const bool is_corrected = std::string(repair).find("Value") != std::string::npos;
    EXPECT_EQ(page.find("| Name | Value |\n") != std::string::npos, is_corrected) << page;
    EXPECT_EQ(page.find("| length of the queue | 64") != std::string::npos, is_corrected) << page;
    EXPECT_EQ(CountQuestions(&TestQuestion::IsRepair), 1U);
    const std::string asked = model_->questions().back().text;
    EXPECT_NE(asked.find("#1 (table header of point 1, above \"| length of the queue | 64 entries "
                         "|\"): | Name | Value of 99 queues |\n   - this table header"),
              std::string::npos)
        << asked;
    EXPECT_NE(WhyLeftOut("Value of 99 queues").find("'99' is not in the cited lines"),
              std::string::npos)
        << WhyLeftOut("Value of 99 queues");
  }
}

// Found by a stranger: "It" was about another statement when the one before it had gone.
TEST_F(ModelWriterTest, AStatementThatRefersToALostOneIsNotLeftAlone) {
  Begin([](const TestQuestion& asked) -> std::string {
    if (IsBefore(asked)) return "";
    if (asked.IsRepair()) return "#1: DROP\n";
    const std::string its = " It has the length of the queue, 64 entries [" +
                            asked.KeyOf("length of the queue") + "].\n";
    return Section(asked, kTrueWords) + Section(asked, kFalseWords).substr(6) + its;
  });
  const std::string page = Page();
  EXPECT_NE(page.find("is 64 entries."), std::string::npos) << page;
  EXPECT_EQ(page.find("It has the length"), std::string::npos) << page;
  EXPECT_NE(WhyLeftOut("It has the length").find("to which it refers"), std::string::npos);
}

TEST_F(ModelWriterTest, AJudgeThatAlwaysSaysTheSameIsNoticed) {
  for (const char* always : {"SUPPORTED", "NOT ENOUGH"}) {
    Begin(
        [always](const TestQuestion& asked) -> std::string {
          if (!asked.IsJudge()) return Section(asked, kTrueWords);
          std::string verdicts;
          for (int i = 1; i < 20; ++i) verdicts += std::to_string(i) + ": " + always + "\n";
          return verdicts;
        },
        {});
    EXPECT_NE(Page().find("64 entries."), std::string::npos) << always;
    EXPECT_NE(WhyLeftOut("the verdicts of the judge").find("control statement"), std::string::npos)
        << always;
  }
}

TEST_F(ModelWriterTest, AJudgeThatFailsFailsThePage) {
  Begin(
      [](const TestQuestion& asked) -> std::string {
        return asked.IsJudge() ? "!400 Bad Request" : Section(asked, kTrueWords);
      },
      {});
  EXPECT_FALSE(Run().ok());
}

TEST_F(ModelWriterTest, WithoutHitsNoSectionIsAskedFor) {
  UsePlan("      - Zeppelins\n");
  Begin([](const TestQuestion& asked) {
    return asked.IsReading() ? "1: none" : "=== 1\nNOT FOUND\n";
  });
  EXPECT_EQ(Run().error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(CountQuestions(&TestQuestion::IsWriting), 0U);
}

}  // namespace
}  // namespace sibyl::expansion
