// SPDX-License-Identifier: Apache-2.0
#include "library/carry_out.h"

#include <gtest/gtest.h>

#include "base/hash.h"
#include "library/blocks.h"
#include "library/test_oracle.h"

namespace sibyl::library {
namespace {

// A page, a block of another page and a folder that moves.
class CarryOutTest : public testing::Test {
 protected:
  CarryOutTest() {
    Add({.path = "cuda/09-new.md"}, "new page\n");
    Add({.kind = StepKind::kBlock, .path = "cuda/INDEX.md", .block = "files"}, "new rows\n");
    prepared_.intent.steps.push_back({.kind = StepKind::kMoveFolder,
                                      .path = "_ingest-auto/completed/gadget",
                                      .from = "_ingest-auto/expansion-gadget-2026-11-15"});
    prepared_.intent.published.id = "0a1b";
    prepared_.intent.message = "expand\n";
  }

  void Add(Step step, std::string text) {
    step.after = Sha256(text);
    step.staged = std::to_string(prepared_.staged.size());
    prepared_.intent.steps.push_back(std::move(step));
    prepared_.staged.push_back(std::move(text));
  }

  Status Staged() { return Stage(prepared_, oracle_.own(), disk_); }
  Status Checked() { return CheckSteps(prepared_.intent, oracle_.own().oracle()); }
  Status CarriedOut() { return CarryOut(prepared_.intent, oracle_.own().oracle(), disk_); }

  TestOracle oracle_;
  Disk disk_;
  Prepared prepared_;
};

TEST_F(CarryOutTest, DoesEveryStep) {
  ASSERT_TRUE(Staged().ok());
  ASSERT_TRUE(Checked().ok());
  const Status done = CarriedOut();
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(oracle_.Read("cuda/09-new.md"), "new page\n");
  EXPECT_NE(oracle_.Read("cuda/INDEX.md").find("new rows\r\n"), std::string::npos)
      << "with the line ends of the page";
  EXPECT_EQ(oracle_.Read("_ingest-auto/completed/gadget/notes.txt"), "of the user\n");
  EXPECT_FALSE(oracle_.Has("_ingest-auto/expansion-gadget-2026-11-15"));
}

TEST_F(CarryOutTest, MovesAFileOnceAndOverNothing) {
  oracle_.Write("_ingest-auto/x.md", "plan\n");
  prepared_.intent.steps.push_back({.kind = StepKind::kMoveFile,
                                    .path = "_ingest-auto/completed/gadget/x.md",
                                    .from = "_ingest-auto/x.md"});
  ASSERT_TRUE(Staged().ok());
  ASSERT_TRUE(CarriedOut().ok());
  EXPECT_EQ(oracle_.Read("_ingest-auto/completed/gadget/x.md"), "plan\n");
  EXPECT_FALSE(oracle_.Has("_ingest-auto/x.md"));
  EXPECT_TRUE(CarriedOut().ok());
  oracle_.Write("_ingest-auto/x.md", "another\n");
  EXPECT_FALSE(CarriedOut().ok());
  EXPECT_EQ(oracle_.Read("_ingest-auto/completed/gadget/x.md"), "plan\n");
}

TEST_F(CarryOutTest, DoesNothingTheSecondTime) {
  ASSERT_TRUE(Staged().ok());
  ASSERT_TRUE(CarriedOut().ok());
  const auto once = oracle_.Everything();
  FaultyDisk counting(FaultyDisk::Trouble::kNone, 0);
  EXPECT_TRUE(CarryOut(prepared_.intent, oracle_.own().oracle(), counting).ok());
  EXPECT_EQ(counting.operations(), 0);
  EXPECT_EQ(oracle_.Everything(), once);
}

TEST_F(CarryOutTest, AFileThatIsThereMeanwhileIsNotReplaced) {
  ASSERT_TRUE(Staged().ok());
  oracle_.Write("cuda/09-new.md", "of a person\n");
  for (const Status& status : {Checked(), CarriedOut()}) {
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().message,
              "publishing cuda/09-new.md: the file was changed in the meantime");
    EXPECT_NE(status.error().hint.find(".sibyl/stage/0a1b"), std::string::npos);
  }
  EXPECT_EQ(oracle_.Read("cuda/09-new.md"), "of a person\n");
}

TEST_F(CarryOutTest, AFileIsReplacedWhenItIsTheOneThatWasRead) {
  prepared_.intent.steps[0].path = "cuda/00-old.md";
  prepared_.intent.steps[0].before = Sha256(oracle_.Read("cuda/00-old.md"));
  ASSERT_TRUE(Staged().ok());
  ASSERT_TRUE(CarriedOut().ok());
  EXPECT_EQ(oracle_.Read("cuda/00-old.md"), "new page\n");
}

TEST_F(CarryOutTest, AStagedTextThatWasChangedIsNotPublished) {
  ASSERT_TRUE(Staged().ok());
  for (const char* name : {"0", "1"}) {
    const std::string file = ".sibyl/stage/0a1b/" + std::string(name);
    const std::string text = oracle_.Read(file);
    oracle_.Write(file, "forged\n");
    const Status status = CarriedOut();
    ASSERT_FALSE(status.ok()) << name;
    EXPECT_NE(status.error().message.find("is no longer in .sibyl/stage/0a1b"), std::string::npos);
    oracle_.Write(file, text);
  }
  EXPECT_EQ(oracle_.Read("cuda/INDEX.md").find("forged"), std::string::npos);
}

TEST_F(CarryOutTest, ABlockKeepsWhatAPersonWroteMeanwhile) {
  ASSERT_TRUE(Staged().ok());
  oracle_.Write("cuda/INDEX.md", "More of mine.\n\n" + oracle_.Read("cuda/INDEX.md"));
  ASSERT_TRUE(Checked().ok());
  ASSERT_TRUE(CarriedOut().ok());
  EXPECT_TRUE(oracle_.Read("cuda/INDEX.md").starts_with("More of mine.\n"));
  EXPECT_NE(oracle_.Read("cuda/INDEX.md").find("new rows"), std::string::npos);
}

TEST_F(CarryOutTest, APageThatIsGoneGetsItsBlockAgain) {
  ASSERT_TRUE(Staged().ok());
  std::filesystem::remove(oracle_.path() / "cuda/INDEX.md");
  ASSERT_TRUE(CarriedOut().ok());
  EXPECT_EQ(oracle_.Read("cuda/INDEX.md"), MakeBlock("files", "new rows\n"));
}

TEST_F(CarryOutTest, AFolderThatBecameALinkIsNotWrittenThrough) {
  ASSERT_TRUE(Staged().ok());
  std::filesystem::create_directory(oracle_.path() / "elsewhere");
  std::filesystem::remove_all(oracle_.path() / "cuda");
  std::filesystem::create_directory_symlink("elsewhere", oracle_.path() / "cuda");
  EXPECT_FALSE(CarriedOut().ok());
  EXPECT_TRUE(std::filesystem::is_empty(oracle_.path() / "elsewhere"));
}

TEST_F(CarryOutTest, StagingStartsOver) {
  oracle_.Write(".sibyl/stage/0a1b/7", "of a run that was killed");
  ASSERT_TRUE(Staged().ok());
  EXPECT_FALSE(oracle_.Has(".sibyl/stage/0a1b/7"));
  EXPECT_EQ(oracle_.Read(".sibyl/stage/0a1b/0"), "new page\n");
  EXPECT_EQ(oracle_.Read(".sibyl/stage/0a1b/message"), "expand\n");
}

TEST_F(CarryOutTest, TheStagedIntentIsSigned) {
  ASSERT_TRUE(Staged().ok());
  const std::string bytes = oracle_.Read(".sibyl/stage/0a1b/publication.json");
  const auto verified = oracle_.own().Verified(kIntentPurpose, bytes);
  ASSERT_TRUE(verified.has_value());
  EXPECT_EQ(*verified, FormatIntent(prepared_.intent));
  EXPECT_FALSE(oracle_.own().Verified(kIntentPurpose, bytes + " ").has_value());
}

}  // namespace
}  // namespace sibyl::library
