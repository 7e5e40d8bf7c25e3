// SPDX-License-Identifier: Apache-2.0
// What the offline writer makes passes the gate, whole and byte for byte the
// same each time. Here, since neither of the two rooms may know the other.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "base/files/files.h"
#include "draft/extract/extract.h"
#include "evidence/evidence.h"
#include "evidence/test_oracle.h"
#include "gate/gate.h"
#include "git/test_git.h"
#include "oracle/source_index.h"
#include "plan/plan.h"

namespace sibyl::expansion {
namespace {

constexpr std::string_view kGatePlan = R"(# Knowledge expansion: the profiler of Gadget

**Topic**: How Gadget finds its profiler

## PART 1: How Gadget finds its profiler

- [ ] PART 1: Create tools/01-profiler.md (~150 lines)

**Step 3: Write Knowledge File**
- [ ] Section 1: Detection (~70 lines)
      - Detection order of the profiler
      - Windows differences
- [ ] Section 2: Switches (~60 lines)
      - USE_PROF and GADGET_NO_PROF options
)";

constexpr std::string_view kModule =
    R"(# Looks for the profiler below the toolkit before it asks the system.
# The order of detection is fixed, and the first profiler that is found is used.
find_library(PROF_LIBRARY NAMES prof
  PATHS ${TOOLKIT_ROOT} ${TOOLKIT_ROOT}/extras/prof/lib64
  NO_DEFAULT_PATH)
if(NOT PROF_LIBRARY)
  set(GADGET_NO_PROF ON)
endif()
)";

constexpr std::string_view kOptions = R"(project(gadget)
option(USE_PROF "Use the profiler of the toolkit" ON)
option(GADGET_NO_PROF "Build without any profiler" OFF)
option(BUILD_TESTS "Build the tests" OFF)
)";

class DraftGate : public testing::Test {
 protected:
  DraftGate() : git_(oracle_.folder() / "gadget") {
    git_.Write("cmake/Profiler.cmake", kModule);
    git_.Write("CMakeLists.txt", kOptions);
    git_.Write("docs/profiler.md",
               "# Profiler\n\n## Detection\n\nDetection of the profiler follows a fixed *order*: "
               "toolkit_root is asked\nfirst, see [the module](../cmake/Profiler.cmake).\n");
    git_.Write("src/main.cc", "int main() { return 0; }\n");
    git_.Commit();
    const auto added = evidence::AddSource({.name = "gadget",
                                            .kind = evidence::SourceKind::kGit,
                                            .origin = git_.folder().string(),
                                            .ref = "main"},
                                           oracle_.around());
    EXPECT_TRUE(added.ok()) << (added.ok() ? "" : added.error().message);
    lock_ = *evidence::ReadLock(oracle_.around());
    auto indexes = oracle::OpenSourceIndexes(lock_, oracle_.around());
    EXPECT_TRUE(indexes.ok());
    indexes_.emplace(std::move(*indexes));
    searcher_.emplace(indexes_->Borrow());
    plan_ = plan::Parse("plan.md", kGatePlan).plan;
  }

  draft::WrittenPage Write(const draft::ExtractOptions& options) const {
    const std::vector<draft::KnowledgeFile> knowledge;
    const draft::GatherInputs inputs{
        .plan = plan_, .part = plan_.parts.at(0), .searcher = *searcher_, .knowledge = knowledge};
    const draft::Gathered gathered = draft::GatherAnswers(inputs, {.lock = lock_});
    return draft::Extract(
        {.plan = plan_, .part = plan_.parts.at(0), .searcher = *searcher_, .gathered = gathered},
        options);
  }

  // The page without what differs from machine to machine.
  std::string Shown(std::string text) const {
    const std::string folder = git_.folder().string();
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder)) {
      text.replace(at, folder.size(), "/gadget");
    }
    return text;
  }

  evidence::TestOracle oracle_;
  git::TestGit git_;
  evidence::Lock lock_;
  std::optional<oracle::SourceIndexes> indexes_;
  std::optional<index::Searcher> searcher_;
  plan::Plan plan_;
};

const Time kTime = *ParseDate("2026-11-15");

TEST_F(DraftGate, LetsTheOfflineWriterThrough) {
  draft::WrittenPage written = Write({.time = kTime});
  const std::string text = written.draft.text;
  EXPECT_EQ(draft::CoveredCount(written.draft), 2U) << text;
  EXPECT_EQ(draft::PointCount(written.draft), 3U);
  const auto resolver = gate::CitationResolver::Open(lock_, oracle_.around());
  gate::OraclePages pages(oracle_.oracle());
  const auto result =
      gate::Gate::Check(std::move(written.draft), {.resolver = resolver, .oracle = pages});
  ASSERT_TRUE(result.ok()) << result.error().message;
  for (const statement::Judgement& judgement : result->failures) {
    ADD_FAILURE() << judgement.place.line << " " << judgement.code << " " << judgement.message;
  }
  EXPECT_TRUE(result->passed()) << text;
}

TEST_F(DraftGate, SeesTheSameBytesEveryTime) {
  EXPECT_EQ(Write({.time = kTime}).draft.text, Write({.time = kTime}).draft.text);
}

TEST_F(DraftGate, CanHaveABlockLeftOut) {
  const draft::WrittenPage first = Write({.time = kTime});
  ASSERT_FALSE(first.blocks.empty());
  const draft::WrittenPage second = Write({.time = kTime, .left_out = {first.blocks[0].key}});
  for (const draft::WrittenBlock& block : second.blocks) {
    EXPECT_NE(block.key, first.blocks[0].key);
  }
}

// SIBYL_UPDATE=1 writes the page anew.
TEST_F(DraftGate, LooksAsReviewed) {
  const std::filesystem::path golden =
      std::filesystem::path(SIBYL_SOURCE_DIR) / "tests/golden/draft/profiler.md";
  const std::string text = Shown(Write({.time = kTime}).draft.text);
  if (std::getenv("SIBYL_UPDATE") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
    std::filesystem::create_directories(golden.parent_path());
    ASSERT_TRUE(WriteFileAtomically(golden, text).ok());
  }
  const Result<std::string> expected = ReadFile(golden);
  ASSERT_TRUE(expected.ok()) << expected.error().message;
  EXPECT_EQ(text, *expected);
}

}  // namespace
}  // namespace sibyl::expansion
