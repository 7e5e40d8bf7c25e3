// SPDX-License-Identifier: Apache-2.0
#include "oracle/plan_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "oracle/test_context.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

class PlanFileTest : public OracleTest {
 protected:
  std::string Refusal(std::string_view argument) const {
    const Result<PlanFile> plan = ReadPlan(Here(), argument);
    return plan.ok() ? "read" : plan.error().message;
  }
};

TEST_F(PlanFileTest, IsReadByItsPath) {
  Write("oracle/plans/cuda.md", "# Plan\n");
  const Result<PlanFile> plan = ReadPlan(Here(), "oracle/plans/cuda.md");
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->text, "# Plan\n");
  EXPECT_EQ(plan->path, oracle() / "plans/cuda.md");
  EXPECT_EQ(plan->name, "oracle/plans/cuda.md");
  EXPECT_EQ(plan->in_oracle, "plans/cuda.md");
}

TEST_F(PlanFileTest, IsLookedForHereBeforeTheOracle) {
  Write("oracle/cuda.md", "oracle");
  EXPECT_EQ(ReadPlan(Here(), "cuda.md")->text, "oracle");
  Write("cuda.md", "here");
  EXPECT_EQ(ReadPlan(Here(), "cuda.md")->text, "here");
  EXPECT_EQ(ReadPlan(Here(), "cuda.md")->in_oracle, std::nullopt);
}

TEST_F(PlanFileTest, OfAFolderIsItsIngestionMd) {
  Write("oracle/_ingest-auto/cuda/ingestion.md", "text");
  for (const char* argument :
       {"_ingest-auto/cuda", "_ingest-auto/cuda/", "oracle/_ingest-auto/cuda/ingestion.md"}) {
    const Result<PlanFile> plan = ReadPlan(Here(), argument);
    ASSERT_TRUE(plan.ok()) << argument << ": " << plan.error().message;
    EXPECT_EQ(plan->in_oracle, "_ingest-auto/cuda/ingestion.md") << argument;
  }
}

TEST_F(PlanFileTest, AFolderWithoutAnIngestionMdIsNamed) {
  Write("oracle/_ingest-auto/cuda/notes.md", "");
  EXPECT_EQ(Refusal("_ingest-auto/cuda"),
            "reading the plan: the folder _ingest-auto/cuda has no ingestion.md");
}

TEST_F(PlanFileTest, ThatDoesNotExistIsRefusedWithTheNearest) {
  Write("plans/cuda.md", "");
  Write("plans/other.txt", "");
  const Result<PlanFile> plan = ReadPlan(Here(), "plans/cuba.md");
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(plan.error().message, "reading the plan: plans/cuba.md does not exist");
  EXPECT_EQ(plan.error().hint, "did you mean 'plans/cuda.md'?");
}

TEST_F(PlanFileTest, ThatDoesNotExistHasNoHintWhereNothingIsNear) {
  const Result<PlanFile> plan = ReadPlan(Here(), "plans/cuba.md");
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().hint, "");
}

TEST_F(PlanFileTest, IsNotReadThroughALinkOutOfTheOracle) {
  Write("secret.md", "secret");
  fs::create_symlink(top() / "secret.md", oracle() / "plan.md");
  EXPECT_TRUE(Refusal("oracle/plan.md").starts_with("reading the plan: "))
      << Refusal("oracle/plan.md");
  fs::create_directory(oracle() / "plan");
  fs::create_symlink(top() / "secret.md", oracle() / "plan/ingestion.md");
  EXPECT_TRUE(Refusal("oracle/plan").starts_with("reading the plan: "));
}

TEST_F(PlanFileTest, ThatIsAPipeInTheOracleIsRefused) {
  ASSERT_EQ(::mkfifo((oracle() / "plan.md").c_str(), 0600), 0);
  EXPECT_TRUE(Refusal("oracle/plan.md").starts_with("reading the plan: "));
}

TEST_F(PlanFileTest, OutsideTheOracleIsNotForAnAgent) {
  Write("plan.md", "");
  EXPECT_EQ(ReadPlan(Agent(), "../plan.md").error().kind, ErrorKind::kUsage);
}

TEST_F(PlanFileTest, NeedsNoOracle) {
  Write("plan.md", "text");
  Context context = Here();
  context.oracle.reset();
  EXPECT_EQ(ReadPlan(context, "plan.md")->text, "text");
}

}  // namespace
}  // namespace sibyl::oracle
