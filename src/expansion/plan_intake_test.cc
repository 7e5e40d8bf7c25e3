// SPDX-License-Identifier: Apache-2.0
#include "expansion/plan_intake.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/files.h"
#include "expansion/test_expansion.h"
#include "plan/starter.h"

namespace sibyl::expansion {
namespace {

constexpr std::string_view kCopyPath = "_ingest-auto/expansion-gadget/ingestion.md";
constexpr std::string_view kDonePath = "_ingest-auto/completed/expansion-gadget/ingestion.md";

// Another point than the plan of the notes asks for.
std::string OtherPlan() {
  std::string text(kNotesPlan);
  const std::string point = "Length of the queue";
  return text.replace(text.find(point), point.size(), "Width of the queue");
}

std::string TickedPlan() {
  std::string text(kNotesPlan);
  return text.replace(text.find("- [ ] PART 1"), 12, "- [x] PART 1");
}

class PlanIntake : public testing::Test {
 protected:
  PlanIntake() { expansion_.Write("gadget.md", kNotesPlan); }

  Result<ImportedPlan> Import(std::string_view argument, Intake intake = Intake::kCopy) const {
    return ImportPlan(expansion_.context(), argument, intake);
  }
  ImportedPlan Imported(std::string_view argument, Intake intake = Intake::kCopy) const {
    Result<ImportedPlan> plan = Import(argument, intake);
    EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().message);
    return plan.ok() ? *std::move(plan) : ImportedPlan{};
  }

  bool Has(std::string_view path) const {
    return std::filesystem::exists(expansion_.oracle() / path);
  }
  void Put(std::string_view path, std::string_view text) const {
    expansion_.Write("oracle/" + std::string(path), text);
  }

  TestExpansion expansion_;
};

TEST_F(PlanIntake, APlanOfTheOracleStaysWhereItIs) {
  const ImportedPlan plan = Imported("plan.md");
  EXPECT_EQ(plan.path, "plan.md");
  EXPECT_EQ(plan.name, "plan.md");
  EXPECT_EQ(plan.text, kNotesPlan);
  EXPECT_FALSE(plan.is_copied);
  EXPECT_FALSE(plan.is_completed);
  EXPECT_FALSE(Has("_ingest-auto"));
}

TEST_F(PlanIntake, APlanFromElsewhereIsCopiedByteForByte) {
  const std::string text = std::string(kNotesPlan) + "\r\nÜber \xFF\r\n";
  expansion_.Write("gadget.md", text);
  const ImportedPlan plan = Imported("../gadget.md");
  EXPECT_EQ(plan.path, kCopyPath);
  EXPECT_EQ(plan.name, kCopyPath);
  EXPECT_TRUE(plan.is_copied);
  EXPECT_EQ(plan.text, text);
  EXPECT_EQ(*ReadFile(expansion_.oracle() / kCopyPath), text);
}

// Issue 24: `sibyl -C ORACLE launch slurm PLAN --cancel` after the run was published.
TEST_F(PlanIntake, APlanThatHasMovedIsFoundFromOutsideOfTheOracle) {
  Put(kDonePath, TickedPlan());
  oracle::Context context = expansion_.context();
  context.working_folder = expansion_.oracle().parent_path();
  for (const std::string_view named : {kCopyPath, kCopyPath.substr(0, kCopyPath.rfind('/'))}) {
    const Result<ImportedPlan> plan = ImportPlan(context, named, Intake::kLook);
    ASSERT_TRUE(plan.ok()) << plan.error().message;
    EXPECT_EQ(plan->path, kDonePath);
    EXPECT_TRUE(plan->is_completed);
  }
}

TEST_F(PlanIntake, LookingCopiesNothing) {
  const ImportedPlan plan = Imported("../gadget.md", Intake::kLook);
  EXPECT_EQ(plan.path, kCopyPath);
  EXPECT_TRUE(plan.is_copied);
  EXPECT_NE(plan.name.find("gadget.md"), std::string::npos) << "named as the person has it";
  EXPECT_NE(plan.name, plan.path);
  EXPECT_FALSE(Has("_ingest-auto"));
}

TEST_F(PlanIntake, TheFolderOfACopyIsNamedAfterThePlanOrItsFolder) {
  expansion_.Write("CUPTI notes.md", kNotesPlan);
  expansion_.Write("expansion-rocm/ingestion.md", kNotesPlan);
  expansion_.Write("---.md", kNotesPlan);
  EXPECT_EQ(Imported("../CUPTI notes.md").path, "_ingest-auto/expansion-cupti-notes/ingestion.md");
  EXPECT_EQ(Imported("../expansion-rocm").path, "_ingest-auto/expansion-rocm/ingestion.md");
  EXPECT_EQ(Imported("../expansion-rocm/ingestion.md").path,
            "_ingest-auto/expansion-rocm/ingestion.md");
  EXPECT_EQ(Imported("../---.md").path, "_ingest-auto/expansion-plan/ingestion.md")
      << "a name without a letter";
}

TEST_F(PlanIntake, ACopyThatAsksTheSameIsResumedWithItsMarks) {
  Put(kCopyPath, TickedPlan());
  const ImportedPlan plan = Imported("../gadget.md");
  EXPECT_EQ(plan.path, kCopyPath);
  EXPECT_EQ(plan.text, TickedPlan());
  EXPECT_TRUE(plan.is_copied);
}

TEST_F(PlanIntake, ACopyThatAsksSomethingElseIsNotOverwritten) {
  Put(kCopyPath, OtherPlan());
  for (const Intake intake : {Intake::kCopy, Intake::kLook}) {
    const auto plan = Import("../gadget.md", intake);
    ASSERT_FALSE(plan.ok());
    EXPECT_EQ(plan.error().kind, ErrorKind::kUsage);
    EXPECT_NE(plan.error().hint.find("sibyl expand " + std::string(kCopyPath)), std::string::npos)
        << plan.error().hint;
  }
  EXPECT_EQ(*ReadFile(expansion_.oracle() / kCopyPath), OtherPlan());
}

TEST_F(PlanIntake, AnotherTargetIsAnotherPlan) {
  std::string text(kNotesPlan);
  Put(kCopyPath, text.replace(text.find("01-queue"), 8, "02-queue"));
  EXPECT_FALSE(Import("../gadget.md").ok());
}

TEST_F(PlanIntake, APlanThatWasCompletedIsKnownAgain) {
  Put(kDonePath, TickedPlan());
  const ImportedPlan plan = Imported("../gadget.md");
  EXPECT_EQ(plan.path, kDonePath);
  EXPECT_TRUE(plan.is_completed);
  EXPECT_EQ(plan.text, TickedPlan());
  EXPECT_FALSE(Has(kCopyPath));
}

TEST_F(PlanIntake, ACompletedPlanThatAskedSomethingElseIsNoObstacle) {
  Put(kDonePath, OtherPlan());
  const ImportedPlan plan = Imported("../gadget.md");
  EXPECT_EQ(plan.path, kCopyPath);
  EXPECT_FALSE(plan.is_completed);
  EXPECT_TRUE(Has(kCopyPath));
}

TEST_F(PlanIntake, APlanOfTheOracleThatMovedWhenItWasDoneIsFound) {
  Put(kDonePath, TickedPlan());
  for (const std::string_view argument :
       {kCopyPath, std::string_view("_ingest-auto/expansion-gadget")}) {
    const ImportedPlan plan = Imported(argument);
    EXPECT_EQ(plan.path, kDonePath) << argument;
    EXPECT_TRUE(plan.is_completed);
    EXPECT_FALSE(plan.is_copied);
  }
}

TEST_F(PlanIntake, APlanThatIsNowhereIsAnErrorWithTheNearestName) {
  const auto plan = Import("plam.md");
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().kind, ErrorKind::kNotFound);
  EXPECT_NE(plan.error().hint.find("plan.md"), std::string::npos) << plan.error().hint;
  EXPECT_EQ(Import("_ingest-auto/never").error().kind, ErrorKind::kNotFound);
}

TEST_F(PlanIntake, AFolderWithoutAPlanIsAnError) {
  std::filesystem::create_directories(expansion_.oracle() / "_ingest-auto/expansion-empty");
  EXPECT_EQ(Import("_ingest-auto/expansion-empty").error().kind, ErrorKind::kNotFound);
}

TEST_F(PlanIntake, ALinkInThePlaceOfTheCopyIsNotWrittenThrough) {
  expansion_.Write("victim.md", "mine\n");
  std::filesystem::create_directories(expansion_.oracle() / "_ingest-auto/expansion-gadget");
  std::filesystem::create_symlink(expansion_.oracle() / "../victim.md",
                                  expansion_.oracle() / kCopyPath);
  EXPECT_FALSE(Import("../gadget.md").ok());
  EXPECT_EQ(*ReadFile(expansion_.oracle() / "../victim.md"), "mine\n");
}

TEST_F(PlanIntake, AnUntouchedTemplateIsRefusedAndNotCopied) {
  expansion_.Write("new.md",
                   plan::MakeStarter({.topic = "Queues", .slug = "queues", .date = "2026-11-18"}));
  const auto plan = Import("../new.md");
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().kind, ErrorKind::kUsage);
  EXPECT_NE(plan.error().message.find("point of the template"), std::string::npos)
      << plan.error().message;
  EXPECT_FALSE(Has("_ingest-auto"));
}

TEST_F(PlanIntake, NeedsAnOracle) {
  oracle::Context context = expansion_.context();
  context.oracle.reset();
  EXPECT_EQ(ImportPlan(context, "plan.md", Intake::kLook).error().kind, ErrorKind::kUsage);
}

TEST_F(PlanIntake, APlanBesideItsFolderIsFoundWhereItWasMoved) {
  Put("_ingest-auto/completed/expansion-gadget/gadget.md", TickedPlan());
  const ImportedPlan plan = Imported("_ingest-auto/gadget.md");
  EXPECT_EQ(plan.path, "_ingest-auto/completed/expansion-gadget/gadget.md");
  EXPECT_TRUE(plan.is_completed);
}

}  // namespace
}  // namespace sibyl::expansion
