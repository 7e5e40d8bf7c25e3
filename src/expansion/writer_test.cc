// SPDX-License-Identifier: Apache-2.0
#include "expansion/writer.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "expansion/part_job.h"
#include "expansion/test_expansion.h"

namespace sibyl::expansion {
namespace {

constexpr std::string_view kTrue = "The length of the queue is 64 entries.";
constexpr std::string_view kFalse = "`queue_size` changes the length of the queue.";

// Writes what the test says, and notes how it was called.
class ScriptedWriter : public Writer {
 public:
  using Script = std::function<Result<draft::WrittenPage>(int round)>;
  explicit ScriptedWriter(Script script) : script_(std::move(script)) {}

  Result<draft::WrittenPage> Write() override {
    calls.emplace_back("write");
    return script_(round_++);
  }
  bool HasObjections() const override { return objections_left > 0; }
  Result<bool> Revise(const draft::WrittenPage& /*page*/,
                      const std::vector<statement::Judgement>& failures) override {
    calls.push_back(failures.empty() ? "revise own" : "revise " + failures.front().code);
    if (objections_left > 0) --objections_left;
    return can_revise;
  }
  Result<bool> ReviewOnce() override {
    calls.emplace_back("review");
    return reviews_that_change-- > 0;
  }

  std::vector<std::string> calls;
  int objections_left = 0;
  int reviews_that_change = 0;
  bool can_revise = true;

 private:
  Script script_;
  int round_ = 0;
};

class WriterLoop : public testing::Test {
 protected:
  draft::WrittenPage Page(std::string_view statement) const {
    return {.draft = expansion_.PageCiting(std::string(statement), expansion_.Cite("queue.md:3"))};
  }

  Result<CheckedPage> Run(ScriptedWriter& writer, const CheckOptions& options = {}) const {
    return WriteUntilItHolds(writer, *citations_, options);
  }

  TestExpansion expansion_;
  std::unique_ptr<oracle::CitationSources> citations_ = expansion_.citations();
};

using Calls = std::vector<std::string>;

TEST_F(WriterLoop, TakesAPageThatHolds) {
  ScriptedWriter writer([&](int) { return Page(kTrue); });
  const auto page = Run(writer);
  ASSERT_TRUE(page.ok()) << page.error().message;
  ASSERT_TRUE(page->verified.has_value()) << page->failures.front().message;
  EXPECT_EQ(page->verified->citations(), 1U);
  EXPECT_EQ(writer.calls, (Calls{"write", "review"}));
}

TEST_F(WriterLoop, GivesWhatTheGateRefusesBackToTheWriter) {
  ScriptedWriter writer([&](int round) { return Page(round == 0 ? kFalse : kTrue); });
  const auto page = Run(writer);
  ASSERT_TRUE(page.ok() && page->verified);
  EXPECT_EQ(writer.calls, (Calls{"write", "revise ident/unknown", "write", "review"}));
}

TEST_F(WriterLoop, EndsWithTheFailuresWhenTheWriterCanDoNothing) {
  ScriptedWriter writer([&](int) { return Page(kFalse); });
  writer.can_revise = false;
  const auto page = Run(writer);
  ASSERT_TRUE(page.ok());
  EXPECT_FALSE(page->verified.has_value());
  ASSERT_EQ(page->failures.size(), 1U);
  const Error error = RefusedByGate(page->failures);
  EXPECT_NE(error.message.find("[ident/unknown]"), std::string::npos) << error.message;
}

TEST_F(WriterLoop, DoesNotTakeAPageThatItsWriterObjectsTo) {
  ScriptedWriter writer([&](int) { return Page(kTrue); });
  writer.objections_left = 1;
  const auto page = Run(writer);
  ASSERT_TRUE(page.ok() && page->verified);
  EXPECT_EQ(writer.calls, (Calls{"write", "revise own", "write", "review"}));
}

TEST_F(WriterLoop, AsksTheGateAgainAfterAReviewThatChangedThePage) {
  ScriptedWriter writer([&](int) { return Page(kTrue); });
  writer.reviews_that_change = 1;
  const auto page = Run(writer);
  ASSERT_TRUE(page.ok() && page->verified);
  EXPECT_EQ(writer.calls, (Calls{"write", "review", "write", "review"}));
}

TEST_F(WriterLoop, GivesUpOnAPageThatIsNeverRight) {
  ScriptedWriter writer([&](int) { return Page(kFalse); });
  const auto page = Run(writer);
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().kind, ErrorKind::kCorrupt);
  EXPECT_LT(writer.calls.size(), 40U);
}

TEST_F(WriterLoop, StopsWhenAsked) {
  ScriptedWriter writer([&](int) { return Page(kFalse); });
  const auto page = Run(writer, {.cancelled = [] { return true; }});
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().kind, ErrorKind::kCancelled);
  EXPECT_EQ(writer.calls, Calls{"write"});
}

TEST_F(WriterLoop, HandsOnTheErrorOfItsWriter) {
  ScriptedWriter writer([&](int) -> Result<draft::WrittenPage> {
    return Error{.kind = ErrorKind::kNotFound, .message = "nothing on any point"};
  });
  EXPECT_EQ(Run(writer).error().kind, ErrorKind::kNotFound);
}

TEST_F(WriterLoop, TellsHowFarItIs) {
  ScriptedWriter writer([&](int round) { return Page(round == 0 ? kFalse : kTrue); });
  Calls steps;
  const CheckOptions options{.progress = [&](std::string_view step, const draft::Draft& draft) {
    EXPECT_EQ(draft.path, "gadget/01-queue.md");
    steps.emplace_back(step);
  }};
  ASSERT_TRUE(Run(writer, options).ok());
  EXPECT_EQ(steps, (Calls{"checking", "checking", "checked"}));
}

// The gate that publishes once had no way to look at facts and lab runs: what it
// could not decide, it let through.
class PublishingGate : public testing::Test {
 protected:
  Result<gate::Verified> Publish(const std::string& statement, const std::string& citation) {
    const PlannedWork work = expansion_.work();
    const auto inputs = ExpansionInputs::Open(expansion_.context(), work);
    EXPECT_TRUE(inputs.ok()) << (inputs.ok() ? "" : inputs.error().message);
    return PassGate(expansion_.PageCiting(statement, citation), (*inputs)->parts());
  }

  static std::string Lab(const std::string& run) {
    return evidence::FormatCitation(evidence::LabCitation{.run = run, .metric = "copy/plain/time"});
  }

  TestExpansion expansion_;
};

TEST_F(PublishingGate, TakesWhatASourceSays) {
  const auto passed = Publish(std::string(kTrue), expansion_.Cite("queue.md:3"));
  EXPECT_TRUE(passed.ok()) << passed.error().message;
}

TEST_F(PublishingGate, RefusesAFactThatTheArtifactDoesNotHave) {
  const std::string artifact = "a file without any device code\n";
  expansion_.Write("oracle/data/notes.bin", artifact);
  const auto passed =
      Publish("The file has 3 cubins.",
              evidence::FormatCitation(evidence::FactCitation{
                  .sha256 = Sha256(artifact), .inspector = "cuda", .key = "cubin.sm_90.count"}));
  ASSERT_FALSE(passed.ok());
  EXPECT_NE(passed.error().message.find("[cite/unresolved]"), std::string::npos)
      << passed.error().message;
}

TEST_F(PublishingGate, RefusesALabRunThatIsNotKept) {
  const auto passed = Publish("The copy takes 12 ms.", Lab("0123456789abcdef0123456789abcdef"));
  ASSERT_FALSE(passed.ok());
  EXPECT_NE(passed.error().message.find("[cite/unresolved]"), std::string::npos)
      << passed.error().message;
}

TEST_F(PublishingGate, RefusesALabRunThatWasChanged) {
  const std::string run = "0123456789abcdef0123456789abcdef";
  expansion_.Write("oracle/_labs/" + run + ".jsonl", "{\"version\": 1}\n");
  const auto passed = Publish("The copy takes 12 ms.", Lab(run));
  ASSERT_FALSE(passed.ok());
  EXPECT_NE(passed.error().message.find("[cite/unresolved]"), std::string::npos)
      << passed.error().message;
}

}  // namespace
}  // namespace sibyl::expansion
