// SPDX-License-Identifier: Apache-2.0
#include "library/oracle_paths.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "library/library.h"
#include "library/plan_folder.h"

namespace sibyl::library {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class OraclePathsTest : public testing::Test {
 protected:
  void Write(const std::string& path, std::string_view text = "") const {
    ASSERT_TRUE(CreateFolders((folder_.path() / path).parent_path()).ok());
    ASSERT_TRUE(WriteFileAtomically(folder_.path() / path, text).ok());
  }

  const fs::path& path() const { return folder_.path(); }
  Root root() const { return Root::Open(folder_.path()).value(); }

  std::string Refusal(std::string_view target,
                      ExistingFile existing = ExistingFile::kRefuse) const {
    const Status status = CheckTarget(root(), target, existing);
    return status.ok() ? "" : status.error().message;
  }

  /// Of a plan whose page is published with it.
  PlanFolder FolderOf(std::string_view plan, std::string_view text) const {
    return FindPlanFolder(root(), {.path = plan, .text = text}, {"a/01-a.md"});
  }

  TemporaryFolder folder_;
};

TEST(PlainPaths, AreRelativeAndWithoutTricks) {
  for (const char* path : {"a", "a/b.md", "cuda/16-cupti.md", "ä/b c.md", "a..b/c", "_labs/x"}) {
    EXPECT_TRUE(IsPlainPath(path)) << path;
  }
  for (const char* path :
       {"", "/a", "..", "a/..", "a/../b", "./a", "a//b", "a/", "a\\b", "a\nb", "a\tb", "\x7f",
        ".git/config", "a/.git/x", ".GIT/x", ".sibyl/x", "a/.sibyl"}) {
    EXPECT_FALSE(IsPlainPath(path)) << path;
  }
  EXPECT_TRUE(IsPlainPath(std::string(1'000, 'a')));
  EXPECT_FALSE(IsPlainPath(std::string(1'001, 'a')));
}

TEST(PlainPaths, AreJoinedToAFolderUnlessItIsTheOracle) {
  EXPECT_EQ(InFolder("cuda", "INDEX.md"), "cuda/INDEX.md");
  EXPECT_EQ(InFolder("", "INDEX.md"), "INDEX.md");
}

TEST_F(OraclePathsTest, APathMayLeadToAFileOrToNothing) {
  Write("a/file.md");
  EXPECT_TRUE(CheckPath(root(), "a/file.md").ok());
  EXPECT_TRUE(CheckPath(root(), "a/new.md").ok());
  EXPECT_TRUE(CheckPath(root(), "new/new/new.md").ok());
  EXPECT_TRUE(CheckPath(root(), "a", Wanted::kFolder).ok());
}

TEST_F(OraclePathsTest, APathThroughAFileOrAFolderInItsPlaceIsRefused) {
  Write("a/file.md");
  EXPECT_FALSE(CheckPath(root(), "a/file.md/x.md").ok());
  EXPECT_FALSE(CheckPath(root(), "a").ok());
  EXPECT_FALSE(CheckPath(root(), "a/file.md", Wanted::kFolder).ok());
}

TEST_F(OraclePathsTest, ALinkOnThePathIsRefusedEvenIfItLeadsInside) {
  Write("a/file.md");
  fs::create_directory_symlink("a", path() / "link");
  fs::create_symlink("file.md", path() / "a/same.md");
  for (const char* target : {"link/new.md", "a/same.md"}) {
    const Status status = CheckPath(root(), target);
    ASSERT_FALSE(status.ok()) << target;
    EXPECT_EQ(status.error().kind, ErrorKind::kUsage);
    EXPECT_NE(status.error().hint.find("never writes through a symbolic link"), std::string::npos);
  }
}

TEST_F(OraclePathsTest, AnythingButARegularFileIsRefused) {
  ASSERT_EQ(::mkfifo((path() / "pipe.md").c_str(), 0600), 0);
  EXPECT_FALSE(CheckPath(root(), "pipe.md").ok());
}

TEST_F(OraclePathsTest, KnowledgeFilesAreInTheOrderOfTheirNumbers) {
  for (const char* name : {"10-ten.md", "2-two.md", "about.md", "INDEX.md", "README.md", "SKILL.md",
                           ".hidden.md", "data.txt", "01-one.md"}) {
    Write("cuda/" + std::string(name));
  }
  fs::create_directory(path() / "cuda/03-folder.md");
  EXPECT_EQ(KnowledgeFiles(root(), "cuda"),
            (Names{"01-one.md", "2-two.md", "10-ten.md", "about.md"}));
  EXPECT_TRUE(KnowledgeFiles(root(), "none").empty());
}

TEST_F(OraclePathsTest, TopicsAreFoldersWithNumberedFilesOrAnIndex) {
  Write("cuda/01-a.md");
  Write("deep/er/INDEX.md");
  Write("notes/about.md");
  Write("_ingest-auto/01-plan.md");
  Write(".hidden/01-a.md");
  Write("01-top.md");
  EXPECT_EQ(TopicFolders(root()), (Names{"cuda", "deep/er"}));
}

TEST_F(OraclePathsTest, FoldersThatAreVeryDeepAreNotSearched) {
  Write("a/b/c/d/e/f/01-x.md");
  Write("a/b/c/d/e/f/g/01-x.md");
  EXPECT_EQ(TopicFolders(root()), Names{"a/b/c/d/e/f"});
}

TEST_F(OraclePathsTest, ALinkedFolderIsNoTopic) {
  Write("cuda/01-a.md");
  fs::create_directory_symlink("cuda", path() / "link");
  EXPECT_EQ(TopicFolders(root()), Names{"cuda"});
}

TEST_F(OraclePathsTest, ATargetIsAMarkdownFileInATopicFolder) {
  EXPECT_EQ(Refusal("cuda/16-cupti.md"), "");
  EXPECT_EQ(Refusal("cuda/cupti.md"), "");
  EXPECT_EQ(Refusal("cupti.md"), "publishing cupti.md: it is not in a topic folder");
  for (const char* target :
       {"cuda/cupti.txt", "cuda/INDEX.md", "cuda/README.md", "cuda/SKILL.md"}) {
    EXPECT_NE(Refusal(target), "") << target;
  }
}

TEST_F(OraclePathsTest, ATargetIsNotAFileThatAgentsObey) {
  for (const char* target : {"cuda/AGENTS.md", "cuda/Claude.md", "a/CLAUDE.local.md", "a/gemini.md",
                             "a/copilot-instructions.md", "a/Skill.md"}) {
    EXPECT_NE(Refusal(target), "") << target;
  }
}

TEST_F(OraclePathsTest, ATargetIsNotInAReservedOrHiddenFolder) {
  EXPECT_EQ(Refusal("_ingest-auto/x/01-a.md"),
            "publishing _ingest-auto/x/01-a.md: that folder is reserved for plans");
  EXPECT_EQ(Refusal("_labs/01-a.md"),
            "publishing _labs/01-a.md: folders that start with '_' are reserved");
  EXPECT_EQ(Refusal(".github/01-a.md"),
            "publishing .github/01-a.md: names that start with a dot are hidden");
}

TEST_F(OraclePathsTest, AnExistingTargetIsReplacedOnlyOnPurpose) {
  Write("cuda/01-a.md");
  EXPECT_EQ(Refusal("cuda/01-a.md"), "publishing cuda/01-a.md: the file already exists");
  EXPECT_EQ(Refusal("cuda/01-a.md", ExistingFile::kReplace), "");
}

TEST_F(OraclePathsTest, ANumberIsUsedOnceInAFolder) {
  Write("cuda/01-a.md");
  Write("cuda/02-b.md");
  Write("other/03-c.md");
  const Status status = CheckTarget(root(), "cuda/01-z.md", ExistingFile::kReplace);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "publishing cuda/01-z.md: its number is used by cuda/01-a.md");
  EXPECT_EQ(status.error().hint, "the next free number is 03");
  EXPECT_EQ(Refusal("cuda/03-z.md"), "");
}

constexpr std::string_view kDone =
    "## PART 1: Create a/01-a.md\n\n- [x] PART 1: Create a/01-a.md\n";
constexpr std::string_view kOpen =
    "## PART 1: Create a/01-a.md\n\n- [ ] PART 1: Create a/01-a.md\n";

TEST_F(OraclePathsTest, ThePlanThatIsDoneMovesWithItsFolder) {
  Write("_ingest-auto/x/ingestion.md", kDone);
  const PlanFolder folder = FolderOf("_ingest-auto/x/ingestion.md", kDone);
  ASSERT_TRUE(folder.moves());
  EXPECT_EQ(folder.from, "_ingest-auto/x");
  EXPECT_EQ(folder.to, "_ingest-auto/completed/x");
  EXPECT_EQ(folder.PathNow("_ingest-auto/x/drop.md"), "_ingest-auto/completed/x/drop.md");
  EXPECT_EQ(folder.PathNow("_ingest-auto/xy/drop.md"), "_ingest-auto/xy/drop.md");
  EXPECT_EQ(folder.PathNow("cuda/01-a.md"), "cuda/01-a.md");
}

// Somebody ticked the part, or the plan was carried out in another oracle.
TEST_F(OraclePathsTest, APlanWithATickedPartWhosePageIsMissingStays) {
  const MarkedPlan plan{.path = "_ingest-auto/x/ingestion.md", .text = kDone};
  EXPECT_FALSE(FindPlanFolder(root(), plan).moves());
  Write("a/01-a.md");
  EXPECT_TRUE(FindPlanFolder(root(), plan).moves());
}

TEST_F(OraclePathsTest, APlanBesideItsFolderMovesIntoIt) {
  const PlanFolder folder = FolderOf("_ingest-auto/plan.md", kDone);
  EXPECT_EQ(folder.from, "_ingest-auto/expansion-plan");
  EXPECT_EQ(folder.to, "_ingest-auto/completed/expansion-plan");
  EXPECT_EQ(folder.PathNow("_ingest-auto/plan.md"),
            "_ingest-auto/completed/expansion-plan/plan.md");
  EXPECT_EQ(folder.PathNow("_ingest-auto/expansion-plan/drop.md"),
            "_ingest-auto/completed/expansion-plan/drop.md");
}

TEST_F(OraclePathsTest, APlanWhoseFolderBelongsToAnotherPlanStaysAndSaysWhy) {
  Write("_ingest-auto/expansion-plan/ingestion.md", kOpen);
  EXPECT_EQ(FolderOf("_ingest-auto/plan.md", kDone).why_not,
            "_ingest-auto/plan.md was not moved to completed: ingestion.md in "
            "_ingest-auto/expansion-plan is not done");
  Write("_ingest-auto/expansion-plan/ingestion.md", kDone);
  Write("_ingest-auto/expansion-plan/plan.md", kDone);
  EXPECT_EQ(FolderOf("_ingest-auto/plan.md", kDone).why_not,
            "_ingest-auto/plan.md was not moved to completed: _ingest-auto/expansion-plan has "
            "another file of this name");
}

TEST_F(OraclePathsTest, APlanThatIsNotDoneOrIsElsewhereStays) {
  EXPECT_FALSE(FolderOf("_ingest-auto/x/ingestion.md", kOpen).moves());
  EXPECT_FALSE(FolderOf("_ingest-auto/plan.md", kOpen).moves());
  for (const char* plan :
       {"plans/x/ingestion.md", "plan.md", "_ingest-auto/completed/x/ingestion.md"}) {
    const PlanFolder folder = FolderOf(plan, kDone);
    EXPECT_FALSE(folder.moves()) << plan;
    EXPECT_EQ(folder.why_not, "") << plan;
    EXPECT_EQ(folder.PathNow("a/b.md"), "a/b.md");
  }
}

TEST_F(OraclePathsTest, AFolderWithAnotherPlanToDoStaysAndSaysWhy) {
  Write("_ingest-auto/x/ingestion.md", kDone);
  Write("_ingest-auto/x/second.md", kOpen);
  const PlanFolder folder = FolderOf("_ingest-auto/x/ingestion.md", kDone);
  EXPECT_FALSE(folder.moves());
  EXPECT_EQ(folder.why_not,
            "_ingest-auto/x was not moved to completed: second.md in it is not done");
}

TEST_F(OraclePathsTest, DropsAndPlansThatAreDoneDoNotHoldAFolder) {
  Write("_ingest-auto/x/second.md", kDone);
  Write("_ingest-auto/x/KNOWLEDGE-DROP-a.md", kOpen);
  Write("_ingest-auto/x/notes.txt", kOpen);
  EXPECT_TRUE(FolderOf("_ingest-auto/x/ingestion.md", kDone).moves());
}

TEST_F(OraclePathsTest, ANameThatIsTakenGetsANumber) {
  Write("_ingest-auto/completed/x/a");
  Write("_ingest-auto/completed/x-2/a");
  EXPECT_EQ(FolderOf("_ingest-auto/x/ingestion.md", kDone).to, "_ingest-auto/completed/x-3");
}

}  // namespace
}  // namespace sibyl::library
