// SPDX-License-Identifier: Apache-2.0
// A publication that is killed, or finds the disk full, at every one of its
// operations, and is then gone on with: the oracle is the same as if nothing
// had happened, byte for byte, and so is its history.
#include <gtest/gtest.h>

#include "library/library.h"
#include "library/test_oracle.h"

namespace sibyl::library {
namespace {

// What `sibyl expand` does when it is run again: finish, or publish what it has.
int RunAgain(const TestOracle& oracle, const Publication& publication) {
  const Result<Pending> pending = FinishPending(oracle.options());
  if (!pending.ok()) return 1;
  if (pending->published) return 0;
  return Publish(publication, oracle.options()).ok() ? 0 : 2;
}

class CrashTest : public testing::TestWithParam<Part3> {};

TEST_P(CrashTest, KilledBeforeAnyOperationItEndsTheSame) {
  const Publication publication = TestPublication(GetParam());
  const TestOracle undisturbed;
  ASSERT_TRUE(Publish(publication, undisturbed.options()).ok());
  const auto expected = undisturbed.Everything();
  bool went_through = false;
  int at = 0;
  while (!went_through) {
    ASSERT_LT(++at, 200);
    const TestOracle oracle;
    const int ended = InChild([&] {
      FaultyDisk disk(FaultyDisk::Trouble::kKill, at);
      return Publish(publication, oracle.options(&disk)).ok() ? 0 : 1;
    });
    ASSERT_TRUE(ended == 0 || ended == -SIGKILL) << at;
    went_through = ended == 0;
    ASSERT_EQ(RunAgain(oracle, publication), 0) << at;
    ASSERT_EQ(oracle.Everything(), expected) << "after a kill before operation " << at;
  }
  EXPECT_GT(at, 30);
}

TEST_P(CrashTest, AFullDiskAtAnyOperationIsAnErrorAndItEndsTheSame) {
  const Publication publication = TestPublication(GetParam());
  const TestOracle undisturbed;
  ASSERT_TRUE(Publish(publication, undisturbed.options()).ok());
  const auto expected = undisturbed.Everything();
  bool went_through = false;
  for (int at = 1; !went_through; ++at) {
    ASSERT_LT(at, 200);
    const TestOracle oracle;
    FaultyDisk disk(FaultyDisk::Trouble::kFull, at);
    const Result<Published> published = Publish(publication, oracle.options(&disk));
    went_through = disk.operations() < at;
    if (!published.ok()) {
      EXPECT_EQ(published.error().kind, ErrorKind::kUnavailable) << at;
      EXPECT_NE(published.error().message.find("no space left"), std::string::npos) << at;
    }
    ASSERT_EQ(RunAgain(oracle, publication), 0) << at;
    ASSERT_EQ(oracle.Everything(), expected) << "after a full disk at operation " << at;
  }
}

// Twice: going on is itself interrupted.
TEST_P(CrashTest, KilledAgainWhileGoingOnItEndsTheSame) {
  const Publication publication = TestPublication(GetParam());
  const TestOracle undisturbed;
  ASSERT_TRUE(Publish(publication, undisturbed.options()).ok());
  const auto expected = undisturbed.Everything();
  for (const int first : {14, 20}) {
    for (int second = 1; second < 30; second += 4) {
      const TestOracle oracle;
      InChild([&] {
        FaultyDisk disk(FaultyDisk::Trouble::kKill, first);
        return Publish(publication, oracle.options(&disk)).ok() ? 0 : 1;
      });
      InChild([&] {
        FaultyDisk disk(FaultyDisk::Trouble::kKill, second);
        return FinishPending(oracle.options(&disk)).ok() ? 0 : 1;
      });
      ASSERT_EQ(RunAgain(oracle, publication), 0) << first << " " << second;
      ASSERT_EQ(oracle.Everything(), expected) << first << " " << second;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Plans, CrashTest, testing::Values(Part3::kFails, Part3::kDelivered),
                         [](const auto& given) {
                           return given.param == Part3::kFails ? "ThatStay" : "ThatMove";
                         });

// The hook kills us in the middle of the commit; git itself lives on.
TEST(Crash, KilledWhileGitCommitsThereIsOneCommit) {
  const TestOracle oracle;
  const std::string pid = (oracle.path() / ".sibyl/pid").string();
  oracle.SetHook("pre-commit", "#!/bin/sh\nkill -9 $(cat '" + pid + "')\nsleep 1\n");
  const int ended = InChild([&] {
    oracle.Write(".sibyl/pid", std::to_string(::getpid()));
    return Publish(TestPublication(), oracle.options()).ok() ? 0 : 1;
  });
  EXPECT_EQ(ended, -SIGKILL);
  oracle.SetHook("pre-commit", "#!/bin/sh\nexit 0\n");
  const Result<Pending> finished = FinishPending(oracle.options());
  ASSERT_TRUE(finished.ok()) << finished.error().message;
  ASSERT_TRUE(finished->published);
  EXPECT_EQ(finished->published->commit, oracle.Git({"rev-parse", "HEAD"}));
  EXPECT_EQ(oracle.Git({"rev-list", "--count", "HEAD"}), "2");
  EXPECT_EQ(oracle.Git({"status", "--porcelain"}), "");
}

TEST(Crash, TwoProcessesThatPublishTheSameMakeOneCommit) {
  const TestOracle oracle;
  const Publication publication = TestPublication(Part3::kDelivered);
  const auto publish = [&] { return Publish(publication, oracle.options()).ok() ? 0 : 1; };
  const pid_t one = BeginChild(publish);
  const pid_t other = BeginChild(publish);
  EXPECT_EQ(EndOfChild(one), 0);
  EXPECT_EQ(EndOfChild(other), 0);
  EXPECT_EQ(oracle.Git({"rev-list", "--count", "HEAD"}), "2");
  EXPECT_EQ(oracle.Git({"status", "--porcelain"}), "");
}

TEST(Crash, APageThatIsEditedInBetweenKeepsTheEdit) {
  const TestOracle oracle;
  const Publication publication = TestPublication();
  // Early enough that no page is written: the stage has eight files.
  const int ended = InChild([&] {
    FaultyDisk disk(FaultyDisk::Trouble::kKill, 16);
    return Publish(publication, oracle.options(&disk)).ok() ? 0 : 1;
  });
  ASSERT_EQ(ended, -SIGKILL);
  const std::string edited = "A new first line.\r\n" + std::string(kPersonsIndex);
  oracle.Write("cuda/INDEX.md", edited);
  ASSERT_EQ(RunAgain(oracle, publication), 0);
  EXPECT_TRUE(oracle.Read("cuda/INDEX.md").starts_with("A new first line.\r\n# CUDA"));
  EXPECT_NE(oracle.Read("cuda/INDEX.md").find("02-streams.md"), std::string::npos);
}

TEST(Crash, AFileThatSomebodyWroteInBetweenIsNotOverwritten) {
  const TestOracle oracle;
  const Publication publication = TestPublication();
  // Wherever it was killed: a knowledge file of a person's is what it was.
  for (int at = 10; at < 24; ++at) {
    const TestOracle other;
    const int ended = InChild([&] {
      FaultyDisk disk(FaultyDisk::Trouble::kKill, at);
      return Publish(publication, other.options(&disk)).ok() ? 0 : 1;
    });
    ASSERT_EQ(ended, -SIGKILL);
    if (other.Has("cuda/02-streams.md")) continue;
    other.Write("cuda/02-streams.md", "# By a person\n");
    const Result<Pending> finished = FinishPending(other.options());
    if (finished.ok()) {
      EXPECT_FALSE(Publish(publication, other.options()).ok());
    } else {
      EXPECT_NE(finished.error().message.find("changed in the meantime"), std::string::npos);
    }
    EXPECT_EQ(other.Read("cuda/02-streams.md"), "# By a person\n") << at;
  }
}

}  // namespace
}  // namespace sibyl::library
