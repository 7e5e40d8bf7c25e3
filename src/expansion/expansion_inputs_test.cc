// SPDX-License-Identifier: Apache-2.0
#include "expansion/expansion_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include "base/files/files.h"
#include "evidence/test_oracle.h"
#include "expansion/test_expansion.h"

namespace sibyl::expansion {
namespace {

class ExpansionInputsTest : public testing::Test {
 protected:
  std::unique_ptr<ExpansionInputs> Open(const PlannedWork& work) const {
    auto inputs = ExpansionInputs::Open(expansion_.context(), work);
    EXPECT_TRUE(inputs.ok()) << (inputs.ok() ? "" : inputs.error().message);
    return std::move(inputs).value();
  }
  // Of the first part, as everything is now.
  std::string Fingerprint() const {
    const PlannedWork work = expansion_.work();
    return Open(work)->Fingerprint(work.plan.parts.at(0));
  }
  // What the plan says after `from` was replaced.
  void Edit(const std::string& from, const std::string& to) const {
    std::string text(kNotesPlan);
    expansion_.Write("oracle/plan.md", text.replace(text.find(from), from.size(), to));
  }

  TestExpansion expansion_;
};

TEST_F(ExpansionInputsTest, OpensPinsIndexesAndPages) {
  const PlannedWork work = expansion_.work();
  const auto inputs = Open(work);
  EXPECT_EQ(inputs->parts().lock.pins.size(), 1U);
  EXPECT_TRUE(inputs->parts().knowledge.empty());
  EXPECT_EQ(inputs->parts().program, ProgramName());
  EXPECT_EQ(inputs->parts().models, nullptr);
  EXPECT_TRUE(inputs->findings().empty());
  EXPECT_EQ(&inputs->parts().plan, &work.plan);
}

TEST_F(ExpansionInputsTest, WithoutPinsItIsAnErrorUnlessNothingNeedBePinned) {
  expansion_.Write("oracle/sibyl.toml", "");
  ASSERT_TRUE(std::filesystem::remove(expansion_.oracle() / "sibyl.lock"));
  const PlannedWork work = expansion_.work();
  const auto refused = ExpansionInputs::Open(expansion_.context(), work);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kUsage);
  const auto opened = ExpansionInputs::Open(expansion_.context(), work, nullptr, RequirePins::kNo);
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  EXPECT_TRUE((*opened)->parts().lock.pins.empty());
}

TEST_F(ExpansionInputsTest, TheSameInputsHaveTheSameFingerprint) {
  EXPECT_EQ(Fingerprint(), Fingerprint());
}

TEST_F(ExpansionInputsTest, TheFingerprintChangesWithEverythingThatAPageDependsOn) {
  const std::string before = Fingerprint();
  Edit("Length of the queue", "Width of the queue");
  EXPECT_NE(Fingerprint(), before) << "a point";
  Edit("**Topic**: Gadget", "**Topic**: Gizmo");
  EXPECT_NE(Fingerprint(), before) << "the topic";
  Edit("# Knowledge expansion: Gadget", "# Knowledge expansion: Gizmo");
  EXPECT_NE(Fingerprint(), before) << "the title";
  Edit("(~80 lines)", "(~90 lines)");
  EXPECT_NE(Fingerprint(), before) << "the budget";
  expansion_.Write("oracle/plan.md", kNotesPlan);
  EXPECT_EQ(Fingerprint(), before);
  expansion_.Write("oracle/gadget/02-other.md", "# Other\n");
  const std::string with_page = Fingerprint();
  EXPECT_NE(with_page, before) << "a page of the oracle";
  expansion_.Write("oracle/gadget/02-other.md", "# Changed\n");
  EXPECT_NE(Fingerprint(), with_page) << "the text of a page";
}

TEST_F(ExpansionInputsTest, AnotherPartOfThePlanDoesNotChangeTheFingerprint) {
  const std::string both =
      std::string(kNotesPlan) + "\n## PART 2: Two\n\n- [ ] PART 2: Create gadget/02-two.md\n";
  expansion_.Write("oracle/plan.md", both);
  const std::string before = Fingerprint();
  expansion_.Write("oracle/plan.md", both + "\n**Goal**: another one\n");
  EXPECT_EQ(Fingerprint(), before);
}

TEST_F(ExpansionInputsTest, ANewPinChangesTheFingerprint) {
  const std::string before = Fingerprint();
  expansion_.Write("notes/queue.md", "# Queue\n\nThe length of the queue is 128 entries.\n");
  ASSERT_TRUE(evidence::SyncSource("notes", expansion_.around()).ok());
  EXPECT_NE(Fingerprint(), before);
}

TEST_F(ExpansionInputsTest, PartsOfOneRunDoNotKnowOfEachOther) {
  const std::string before = Fingerprint();
  const auto replacing = [&] {
    return PlanWork(expansion_.context(),
                    {.plan = "plan.md", .existing = library::ExistingFile::kReplace}, Intake::kLook)
        .value();
  };
  expansion_.Write("oracle/gadget/01-queue.md", "# The page of this very part\n");
  const PlannedWork work = replacing();
  ASSERT_EQ(work.choices.running(), 1U);
  const auto inputs = Open(work);
  EXPECT_TRUE(inputs->parts().knowledge.empty());
  EXPECT_EQ(inputs->Fingerprint(work.plan.parts.at(0)), before)
      << "a process that comes after the page was published comes to the same";
}

// Pages once linked plans as "see also".
TEST_F(ExpansionInputsTest, PlansAmongThePagesAreNotKnowledge) {
  expansion_.Write("oracle/gadget/05-plan.md", kNotesPlan);
  expansion_.Write("oracle/gadget/06-other.md", "# Other\n");
  const PlannedWork work =
      PlanWork(expansion_.context(), {.plan = "gadget/05-plan.md"}, Intake::kLook).value();
  const auto inputs = Open(work);
  std::vector<std::string> paths;
  for (const draft::KnowledgeFile& file : inputs->parts().knowledge) paths.push_back(file.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"gadget/06-other.md"}));
}

TEST_F(ExpansionInputsTest, APartBeyondTheEndOfThePlanHasAFingerprintToo) {
  const PlannedWork work = expansion_.work();
  const auto inputs = Open(work);
  plan::Part part;
  EXPECT_FALSE(inputs->Fingerprint(part).empty());
  part.line = 1;
  part.last_line = 1'000'000;
  EXPECT_FALSE(inputs->Fingerprint(part).empty());
}

TEST_F(ExpansionInputsTest, NamesOneJobForEachPartThatRunsAndOneThatPublishes) {
  expansion_.Write("oracle/plan.md",
                   std::string(kNotesPlan) +
                       "\n## PART 2: Two\n\n- [ ] PART 2: Create gadget/02-two.md\n"
                       "\n## PART 3: Three\n\nNo target.\n");
  const PlannedWork work = expansion_.work();
  const auto inputs = Open(work);
  const runner::RunSpec spec = NameJobs(work, PartsOfRun(work, {}), *inputs);
  EXPECT_EQ(spec.name, "plan.md");
  ASSERT_EQ(spec.jobs.size(), 2U);
  EXPECT_EQ(spec.jobs[0].name, "gadget/01-queue.md");
  EXPECT_EQ(spec.jobs[0].fingerprint, inputs->Fingerprint(work.plan.parts[0]));
  EXPECT_EQ(spec.jobs[1].name, "gadget/02-two.md");
  EXPECT_FALSE(spec.jobs[0].work) << "filled in by who runs it";
  ASSERT_TRUE(spec.last.has_value());
  EXPECT_EQ(spec.last->name, "publish");
  EXPECT_EQ(spec.fingerprint, NameJobs(work, PartsOfRun(work, {}), *inputs).fingerprint);
}

// Issue 24: a push that was refused asks for a pull, which must not throw the pages away.
TEST_F(ExpansionInputsTest, PagesThatCouldNotBePublishedStayAlthoughAPullBroughtOthers) {
  const PlannedWork work = expansion_.work();
  const auto parts = PartsOfRun(work, {});
  const runner::RunSpec before = NameJobs(work, parts, *Open(work));
  EXPECT_TRUE(before.jobs[0].fingerprint.starts_with("extract:"));
  std::vector<runner::JobRow> rows = {
      {.name = before.jobs[0].name, .fingerprint = before.jobs[0].fingerprint},
      {.name = "publish", .is_last = true, .state = runner::JobState::kFailed}};
  expansion_.Write("oracle/gadget/07-pulled.md", "# Pulled\n\nSomething else.\n");
  const auto now = Open(work);
  EXPECT_NE(NameJobs(work, parts, *now).fingerprint, before.fingerprint);
  EXPECT_NE(NameJobs(work, parts, *now, rows).fingerprint, before.fingerprint) << "not written";
  rows[0].state = runner::JobState::kDone;
  EXPECT_EQ(NameJobs(work, parts, *now, rows).fingerprint, before.fingerprint);
  rows[1].state = runner::JobState::kWaiting;
  EXPECT_NE(NameJobs(work, parts, *now, rows).fingerprint, before.fingerprint);
}

TEST_F(ExpansionInputsTest, APartThatWasPublishedBeforeTheOthersIsStillAJobOfItsRun) {
  constexpr std::string_view kTwo = "\n## PART 2: Two\n\n- [ ] PART 2: Create gadget/02-two.md\n";
  std::string text = std::string(kNotesPlan) + std::string(kTwo);
  text.replace(text.find("- [ ] PART 1"), 5, "- [x]");
  expansion_.Write("oracle/plan.md", text);
  expansion_.Write("oracle/gadget/01-queue.md", "# Queue\n");
  const PlannedWork work = expansion_.work();
  std::vector<runner::JobRow> rows = {
      {.name = "gadget/01-queue.md", .state = runner::JobState::kDone},
      {.name = "gadget/02-two.md", .state = runner::JobState::kRunning},
      {.name = "publish", .is_last = true}};
  EXPECT_EQ(PartsOfRun(work, rows).size(), 2U);
  EXPECT_TRUE(AreJobsOf(work, PartsOfRun(work, rows), rows));
  // A run of other jobs, and none at all.
  rows[1].name = "gadget/03-three.md";
  EXPECT_EQ(PartsOfRun(work, rows).size(), 1U);
  EXPECT_FALSE(AreJobsOf(work, PartsOfRun(work, rows), rows));
  EXPECT_EQ(PartsOfRun(work, {}).size(), 1U);
}

TEST_F(ExpansionInputsTest, KnowledgeIsEveryPageThatSaysSomething) {
  for (const char* path :
       {"SKILL.md", "README.md", "cuda/INDEX.md", "cuda/01-streams.md", "cuda/deep/02-warps.md",
        "_ingest-auto/expansion-x/ingestion.md", ".hidden/03-x.md", "cuda/notes.txt"}) {
    expansion_.Write(std::string("oracle/") + path, "# Page\r\n");
  }
  std::vector<std::string> paths;
  for (const draft::KnowledgeFile& file : ReadKnowledge(expansion_.context())) {
    paths.push_back(file.path);
    EXPECT_EQ(file.text, "# Page\r\n");
  }
  EXPECT_EQ(paths, (std::vector<std::string>{"cuda/01-streams.md", "cuda/deep/02-warps.md"}));
}

TEST_F(ExpansionInputsTest, ALogOfReviewsIsNoPageUnlessItCites) {
  expansion_.Write("oracle/REVIEW.md", "# Readings\n\nStreams were read twice.\n");
  expansion_.Write("oracle/cuda/history.md", "# History\n\nIt began.[^1]\n\n[^1]: a source\n");
  std::vector<std::string> paths;
  for (const draft::KnowledgeFile& file : ReadKnowledge(expansion_.context())) {
    paths.push_back(file.path);
  }
  EXPECT_EQ(paths, std::vector<std::string>{"cuda/history.md"});
}

TEST_F(ExpansionInputsTest, WithoutAnOracleNothingIsKnown) {
  oracle::Context context = expansion_.context();
  context.oracle.reset();
  EXPECT_TRUE(ReadKnowledge(context).empty());
}

TEST(ProgramName, IsNameAndRelease) {
  EXPECT_TRUE(ProgramName().starts_with("sibyl "));
  EXPECT_NE(ProgramName().find('.'), std::string::npos);
}

}  // namespace
}  // namespace sibyl::expansion
