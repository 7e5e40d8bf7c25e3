// SPDX-License-Identifier: Apache-2.0
#include "expansion/needed_sources.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/files/files.h"
#include "evidence/shared/shared_source.h"
#include "evidence/shared/shared_store.h"
#include "expansion/expansion.h"
#include "expansion/ledger/plan_worker.h"
#include "expansion/test_expansion.h"
#include "oracle/source_index.h"

namespace sibyl::expansion {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlan = "_ingest-auto/expansion-gadget/ingestion.md";

/// A machine with an empty cache, in an oracle whose source is a folder outside of it.
class NeededSources : public testing::Test {
 protected:
  NeededSources() { expansion_.Write("oracle/" + std::string(kPlan), kNotesPlan); }

  oracle::Context Fresh() const {
    oracle::Context context = expansion_.context();
    context.store = top() / "another store";
    return context;
  }

  // What a machine does that has everything: it gives the source and its index.
  void FillSharedStore() const {
    ASSERT_TRUE(evidence::SharedStore::Init(top() / "shared").ok());
    oracle::Context context = expansion_.context();
    context.shared_store = top() / "shared";
    const evidence::Surroundings around = *oracle::EvidenceAround(context);
    for (const evidence::Pin& pin : expansion_.lock().pins) {
      ASSERT_TRUE(evidence::GiveSource(pin, around).ok());
    }
    ASSERT_TRUE(oracle::OpenSourceIndexes(expansion_.lock(), around).ok());
    fs::remove_all(top() / "notes");
  }

  Result<ExpansionResult> ExpandOn(const oracle::Context& context) const {
    return Expand(context, {.plan = std::string(kPlan), .committing = library::Committing::kLeave});
  }

  fs::path top() const { return expansion_.oracle().parent_path(); }

  TestExpansion expansion_;
};

TEST_F(NeededSources, AFreshMachineBesideAFilledStoreDeliversEveryPart) {
  FillSharedStore();
  oracle::Context fresh = Fresh();
  fresh.shared_store = top() / "shared";
  const Result<ExpansionResult> result = ExpandOn(fresh);
  ASSERT_TRUE(result.ok()) << result.error().message;
  ASSERT_EQ(result->jobs.size(), 1U);
  EXPECT_EQ(result->jobs[0].state, runner::JobState::kDone) << result->jobs[0].reason;
  EXPECT_TRUE(result->findings.empty() || result->findings[0].code != "source/unsearchable");
}

TEST_F(NeededSources, AnIndexThatIsHereWithoutItsBytesIsNotEnough) {
  FillSharedStore();
  oracle::Context fresh = Fresh();
  fresh.shared_store = top() / "shared";
  ASSERT_TRUE(oracle::OpenSourceIndexes(expansion_.lock(), *oracle::EvidenceAround(fresh)).ok());
  EXPECT_TRUE(RequireEverySource(fresh).ok());
  fresh.shared_store.reset();
  EXPECT_TRUE(RequireEverySource(fresh).ok());  // they were copied
}

TEST_F(NeededSources, WithoutAnAgreementNothingIsBegunAndThePlanStaysAsItWas) {
  const Result<ExpansionResult> result = ExpandOn(Fresh());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::kUsage);
  EXPECT_NE(result.error().message.find("notes: "), std::string::npos);
  EXPECT_NE(result.error().hint.find("sibyl trust"), std::string::npos);
  EXPECT_EQ(*ReadFile(expansion_.oracle() / kPlan), kNotesPlan);
}

TEST_F(NeededSources, AWorkerWithoutAnAgreementTakesNoPart) {
  const Result<WorkerResult> result = WorkOnPlans(Fresh(), {.until_idle = true});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::kUsage);
  EXPECT_NE(result.error().hint.find("sibyl trust"), std::string::npos);
}

TEST_F(NeededSources, AnExpansionGoesOnWithTheOthersAndAWorkerDoesNot) {
  expansion_.Write("oracle/more/stream.md", "# Stream\n\nA stream has 8 lanes.\n");
  ASSERT_TRUE(
      evidence::AddSource({.name = "more", .kind = evidence::SourceKind::kFolder, .origin = "more"},
                          expansion_.around())
          .ok());
  const Result<SourcesHere> here =
      BringSources(Fresh(), expansion_.lock(), *oracle::EvidenceAround(Fresh()));
  ASSERT_TRUE(here.ok());
  EXPECT_EQ(here->names, std::vector<std::string>{"more"});
  ASSERT_EQ(here->findings.size(), 1U);
  EXPECT_EQ(here->findings[0].code, "source/unsearchable");
  const Result<ExpansionResult> result = ExpandOn(Fresh());
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_FALSE(RequireEverySource(Fresh()).ok());
}

}  // namespace
}  // namespace sibyl::expansion
