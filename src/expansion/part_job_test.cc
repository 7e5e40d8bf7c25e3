// SPDX-License-Identifier: Apache-2.0
#include "expansion/part_job.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "expansion/extract_writer.h"
#include "expansion/model/test_model.h"
#include "expansion/test_expansion.h"

namespace sibyl::expansion {
namespace {

class PartJobTest : public testing::Test {
 protected:
  // The one part of the plan, with this point instead of the queue's length.
  Result<draft::Draft> WriteFor(const std::string& point) {
    std::string text(kNotesPlan);
    text.replace(text.find("Length of the queue"), 19, point);
    expansion_.Write("oracle/plan.md", text);
    Open();
    return WritePart(work_.plan.parts.at(0), inputs_->parts(), job_);
  }
  void Open() {
    work_ = expansion_.work();
    inputs_ = ExpansionInputs::Open(expansion_.context(), work_).value();
  }

  TestExpansion expansion_;
  PlannedWork work_;
  std::unique_ptr<ExpansionInputs> inputs_;
  TestJob job_;
};

TEST_F(PartJobTest, QuotesWhatTheSourcesSayOfThePoints) {
  const auto draft = WriteFor("Length of the queue");
  ASSERT_TRUE(draft.ok()) << draft.error().message;
  EXPECT_EQ(draft->path, "gadget/01-queue.md");
  EXPECT_NE(draft->text.find("The length of the queue is 64 entries"), std::string::npos);
  EXPECT_EQ(draft::WriterOf(*draft), "extract");
  EXPECT_EQ(draft::CoveredCount(*draft), 1U);
  ASSERT_EQ(draft->sources.size(), 1U);
  EXPECT_EQ(draft->sources[0].name, "notes");
}

TEST_F(PartJobTest, ThePageIsTheSameEachTime) {
  const auto first = WriteFor("Length of the queue");
  const auto second = WriteFor("Length of the queue");
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(first->text, second->text);
}

TEST_F(PartJobTest, TellsItsStepsWithFigures) {
  ASSERT_TRUE(WriteFor("Length of the queue").ok());
  EXPECT_EQ(job_.StepNames(),
            (std::vector<std::string>{"gathering", "writing", "checking", "checked"}));
  std::set<std::string> figures;
  for (const runner::Figure& figure : job_.steps.back().figures) {
    figures.insert(figure.name);
    EXPECT_GT(figure.value, 0) << figure.name;
  }
  EXPECT_EQ(figures, (std::set<std::string>{"points", "covered", "citations", "lines"}));
}

// Issue 22: a reader of the board saw only how much was refused.
TEST(NewestFindings, AreTheLastInALineEach) {
  std::vector<statement::Judgement> failures;
  for (std::size_t i = 1; i <= 8; ++i) {
    failures.push_back({.code = "ident/unknown", .message = "it is not there"});
    failures.back().place.line = i;
  }
  const std::vector<std::string> findings = NewestFindings(failures);
  ASSERT_EQ(findings.size(), kMostFindings);
  EXPECT_EQ(findings.front(), "line 4: it is not there [ident/unknown]");
  EXPECT_EQ(findings.back(), "line 8: it is not there [ident/unknown]");
  EXPECT_TRUE(NewestFindings({}).empty());
}

TEST_F(PartJobTest, NothingForAnyPointIsAnErrorWithTheNearestMiss) {
  const auto draft = WriteFor("Price of zeppelins");
  ASSERT_FALSE(draft.ok());
  EXPECT_EQ(draft.error().kind, ErrorKind::kNotFound);
  EXPECT_NE(draft.error().message.find("do not cover its only point"), std::string::npos)
      << draft.error().message;
}

TEST_F(PartJobTest, AStoppedJobIsCancelled) {
  job_.source.request_stop();
  EXPECT_EQ(WriteFor("Length of the queue").error().kind, ErrorKind::kCancelled);
}

TEST_F(PartJobTest, WhatWasWrittenPassesTheGateThatPublishes) {
  auto draft = WriteFor("Length of the queue");
  ASSERT_TRUE(draft.ok());
  const auto passed = PassGate(*draft, inputs_->parts());
  ASSERT_TRUE(passed.ok()) << passed.error().message;
  EXPECT_EQ(passed->draft().text, draft->text);
}

TEST_F(PartJobTest, ADraftThatWasChangedInTheJournalDoesNotPass) {
  auto draft = WriteFor("Length of the queue");
  ASSERT_TRUE(draft.ok());
  draft::Draft changed = *draft;
  changed.text.replace(changed.text.find("64 entries"), 2, "65");
  const auto refused = PassGate(changed, inputs_->parts());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kCorrupt);
  EXPECT_TRUE(refused.error().message.starts_with("gadget/01-queue.md:"))
      << refused.error().message;
  EXPECT_TRUE(refused.error().message.ends_with("]")) << "with the code of the rule";
}

TEST_F(PartJobTest, TheOfflineWriterLeavesOutWhatTheGateRefuses) {
  ASSERT_TRUE(WriteFor("Length of the queue").ok());
  const PartInputs& inputs = inputs_->parts();
  const plan::Part& part = work_.plan.parts.at(0);
  const draft::Gathered gathered = draft::GatherAnswers({.plan = inputs.plan,
                                                         .part = part,
                                                         .searcher = inputs.searcher,
                                                         .knowledge = inputs.knowledge},
                                                        {.lock = inputs.lock});
  ExtractWriter writer(part, inputs, gathered);
  const auto page = writer.Write();
  ASSERT_TRUE(page.ok());
  ASSERT_FALSE(page->blocks.empty());
  const draft::WrittenBlock first = page->blocks.front();

  const auto revise = [&](std::size_t line) {
    return *writer.Revise(*page, {{.place = {.line = line}}});
  };
  EXPECT_FALSE(*writer.Revise(*page, {})) << "nothing was refused";
  EXPECT_FALSE(revise(1)) << "the title is in no block";
  EXPECT_FALSE(revise(1'000'000));
  EXPECT_TRUE(revise(first.last_line));
  EXPECT_FALSE(revise(first.first_line)) << "left out already: no progress";
  const auto next = writer.Write();
  if (next.ok()) {
    for (const draft::WrittenBlock& block : next->blocks) EXPECT_NE(block.key, first.key);
  } else {
    EXPECT_EQ(next.error().kind, ErrorKind::kNotFound);
  }
}

}  // namespace
}  // namespace sibyl::expansion
