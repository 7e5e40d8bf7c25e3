// SPDX-License-Identifier: Apache-2.0
#include "expansion/model_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "expansion/test_expansion.h"
#include "expansion/test_model.h"

namespace sibyl::expansion {
namespace {

class ModelWriterTest : public testing::Test {
 protected:
  // The writer of the one part, with a model that answers so.
  void Begin(TestModel::Speaker speaker, const ModelRequest& request = {}) {
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
    return page.ok() && page->verified ? page->verified->draft().text : "no page";
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

  TestExpansion expansion_;
  PlannedWork work_;
  TestJob job_;
  std::unique_ptr<TestModel> model_;
  std::unique_ptr<ModelAccess> access_;
  std::unique_ptr<ExpansionInputs> inputs_;
  draft::Gathered gathered_;
  std::unique_ptr<Writer> writer_;
};

constexpr const char* kTrueWords = "The length of the queue is 64 entries";
constexpr const char* kFalseWords = "`queue_size` changes the length of the queue";

TEST_F(ModelWriterTest, AsksForAnOutlineAndThenForEachSection) {
  Begin([](const TestQuestion& asked) {
    return asked.IsOutline() ? "not understood" : Section(asked, kTrueWords);
  });
  const std::string page = Page();
  EXPECT_NE(page.find("The length of the queue is 64 entries.[^p1-1]"), std::string::npos) << page;
  EXPECT_NE(page.find("model-written by small"), std::string::npos) << page;
  ASSERT_EQ(model_->questions().size(), 2U);
  EXPECT_TRUE(model_->questions()[0].IsOutline());
  EXPECT_EQ(job_.StepNames(), (std::vector<std::string>{"outlining", "writing section 1 of 1"}));
}

TEST_F(ModelWriterTest, WhatDoesNotHoldGoesBackOnceWithTheReason) {
  Begin([](const TestQuestion& asked) {
    return Section(asked, asked.IsRepair() ? kTrueWords : kFalseWords);
  });
  EXPECT_NE(Page().find("64 entries."), std::string::npos);
  ASSERT_EQ(CountQuestions(&TestQuestion::IsRepair), 1U);
  const TestQuestion repair = model_->questions().back();
  EXPECT_NE(repair.last.find("queue_size"), std::string::npos) << repair.last;
  EXPECT_EQ(repair.turns, 3U) << "question, answer, what was wrong with it";
}

TEST_F(ModelWriterTest, WhatStillDoesNotHoldIsLeftOut) {
  Begin([](const TestQuestion& asked) {
    return Section(asked, kTrueWords) + Section(asked, kFalseWords).substr(6);
  });
  const std::string page = Page();
  EXPECT_NE(page.find("64 entries."), std::string::npos) << page;
  EXPECT_EQ(page.find("queue_size"), std::string::npos) << page;
  EXPECT_EQ(CountQuestions(&TestQuestion::IsRepair), 1U);
}

TEST_F(ModelWriterTest, StatementsWithoutAKeyAreObjectedTo) {
  Begin([](const TestQuestion& asked) {
    return Section(asked, kTrueWords) + "The queue is long. The queue is short [kbbbbbbbb].\n";
  });
  const std::string page = Page();
  EXPECT_EQ(page.find("is long"), std::string::npos) << page;
  EXPECT_EQ(page.find("is short"), std::string::npos) << page;
  const std::string reasons = model_->questions().back().last;
  EXPECT_NE(reasons.find("it has no passage key"), std::string::npos) << reasons;
  EXPECT_NE(reasons.find("its key is not one of the passage keys you were given"),
            std::string::npos)
      << reasons;
}

TEST_F(ModelWriterTest, WordsThatTheCitedLinesDoNotHaveAreObjectedTo) {
  Begin([](const TestQuestion& asked) {
    return Section(asked, kTrueWords) + Section(asked, "Purple elephants swim quickly").substr(6);
  });
  EXPECT_EQ(Page().find("elephants"), std::string::npos);
  EXPECT_NE(model_->questions().back().last.find("do not mention this"), std::string::npos);
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

TEST_F(ModelWriterTest, AnOutlineThatDeniesAPointAsksForNoSection) {
  Begin([](const TestQuestion&) { return "1.1: none"; });
  EXPECT_EQ(Run().error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(model_->questions().size(), 1U);
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
  EXPECT_EQ(access_->budget().spent().remembered, 2U);
}

TEST_F(ModelWriterTest, TheJudgeOnlyLowers) {
  Begin(
      [](const TestQuestion& asked) -> std::string {
        if (asked.IsJudge()) {
          return asked.text.find("Statement: A queue") != std::string::npos ? "CONTRADICTED"
                                                                            : "SUPPORTED";
        }
        return Section(asked, kTrueWords) +
               Section(asked, "A queue that is full drops the oldest entry").substr(6);
      },
      {.is_judged = true});
  const std::string page = Page();
  EXPECT_NE(page.find("64 entries."), std::string::npos) << page;
  EXPECT_EQ(page.find("drops the oldest"), std::string::npos) << page;
  EXPECT_EQ(CountQuestions(&TestQuestion::IsJudge), 2U) << "each statement once";
}

TEST_F(ModelWriterTest, AJudgeThatMumblesConfirmsNothing) {
  Begin(
      [](const TestQuestion& asked) -> std::string {
        return asked.IsJudge() ? "Well, perhaps." : Section(asked, kTrueWords);
      },
      {.is_judged = true});
  EXPECT_EQ(Run().error().kind, ErrorKind::kNotFound);
}

TEST_F(ModelWriterTest, AJudgeThatFailsFailsThePage) {
  Begin(
      [](const TestQuestion& asked) -> std::string {
        return asked.IsJudge() ? "!400 Bad Request" : Section(asked, kTrueWords);
      },
      {.is_judged = true});
  EXPECT_FALSE(Run().ok());
}

TEST_F(ModelWriterTest, TheFirstQuestionsAreWhatIsAskedFirst) {
  Begin([](const TestQuestion& asked) {
    return asked.IsOutline() ? "not understood" : Section(asked, kTrueWords);
  });
  const auto questions = FirstQuestions(work_.plan.parts.at(0), inputs_->parts(), gathered_);
  EXPECT_TRUE(model_->questions().empty()) << "asks nobody";
  Page();
  const auto asked = model_->questions();
  ASSERT_EQ(questions.size(), asked.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    EXPECT_EQ(questions[i].system, asked[i].system);
    EXPECT_EQ(questions[i].turns.at(0).text, asked[i].text);
  }
}

TEST_F(ModelWriterTest, WithoutPassagesNothingIsAsked) {
  std::string text(kNotesPlan);
  text.replace(text.find("Length of the queue"), 19, "Price of zeppelins");
  expansion_.Write("oracle/plan.md", text);
  Begin([](const TestQuestion&) { return "=== 1\n"; });
  EXPECT_TRUE(FirstQuestions(work_.plan.parts.at(0), inputs_->parts(), gathered_).empty());
  EXPECT_EQ(Run().error().kind, ErrorKind::kNotFound);
  EXPECT_TRUE(model_->questions().empty());
}

}  // namespace
}  // namespace sibyl::expansion
