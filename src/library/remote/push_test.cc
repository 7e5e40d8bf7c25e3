// SPDX-License-Identifier: Apache-2.0
#include "library/remote/push.h"

#include <gtest/gtest.h>

#include <thread>

#include "library/test_oracle.h"

namespace sibyl::library {
namespace {

namespace fs = std::filesystem;

// A bare repository, and working copies that follow it.
class PushTest : public testing::Test {
 protected:
  PushTest() {
    oracle_.Git({"clone", "-q", "--bare", oracle_.path().string(), Remote()});
    Follow(oracle_);
  }

  std::string Remote() const { return (folder_.path() / "remote.git").string(); }

  void Follow(const TestOracle& oracle) const {
    oracle.Git({"remote", "add", "origin", Remote()});
    oracle.Git({"fetch", "-q", "origin"});
    oracle.Git({"branch", "-q", "--set-upstream-to=origin/main"});
  }

  static Result<Published> Push(const TestOracle& oracle, const Publication& publication) {
    return PublishAndPush(publication, oracle.options(), *UserState::Open(oracle.state()));
  }
  static Published MustPush(const TestOracle& oracle, const Publication& publication) {
    Result<Published> published = Push(oracle, publication);
    EXPECT_TRUE(published.ok()) << published.error().message;
    return published.ok() ? *std::move(published) : Published{};
  }

  /// Somebody else's commit.
  void PushFrom(const TestOracle& other, const std::string& path, std::string_view text) const {
    other.Write(path, text);
    other.Git({"add", "-A"});
    other.Git({"commit", "-q", "-m", "theirs"});
    other.Git({"push", "-q", "origin", "main"});
  }

  std::string RemoteHead() const {
    return oracle_.Git({"ls-remote", Remote(), "refs/heads/main"}).substr(0, 40);
  }
  std::string AtRemote(const std::string& path) const {
    oracle_.Git({"fetch", "-q", "origin"});
    return oracle_.Git({"show", "origin/main:" + path});
  }

  MemoryFolder folder_;
  TestOracle oracle_;
};

TEST_F(PushTest, TheResultIsThatOfOneMachine) {
  const TestOracle alone;
  const Result<Published> expected = Publish(TestPublication(Part3::kDelivered), alone.options());
  ASSERT_TRUE(expected.ok()) << expected.error().message;
  const Published published = MustPush(oracle_, TestPublication(Part3::kDelivered));
  EXPECT_EQ(published.commit, expected->commit);
  EXPECT_EQ(published.id, expected->id);
  EXPECT_EQ(RemoteHead(), published.commit);
  EXPECT_EQ(oracle_.Everything(), alone.Everything()) << "the working copy has followed";
  EXPECT_TRUE(published.findings.empty() || published.findings[0].code != "publish/behind");
}

TEST_F(PushTest, WhatIsNotCommittedHereGoesIntoTheCommit) {
  const TestOracle alone;
  for (const TestOracle* each : {static_cast<const TestOracle*>(&alone), &std::as_const(oracle_)}) {
    each->Write("sibyl.lock", "pins of the web\n");
    each->Git({"rm", "-q", "--cached", std::string(kTestPlanPath)});
    each->Git({"commit", "-q", "-m", "the plan is not tracked"});
  }
  oracle_.Git({"push", "-q", "origin", "main"});
  ASSERT_TRUE(Publish(TestPublication(), alone.options()).ok());
  MustPush(oracle_, TestPublication());
  EXPECT_EQ(oracle_.Everything(), alone.Everything());
  EXPECT_EQ(AtRemote("sibyl.lock"), "pins of the web");
}

TEST_F(PushTest, ARemoteThatHasMovedGetsThePagesOnTop) {
  const TestOracle other(oracle_.path());
  PushFrom(other, "cuda/05-more.md", "# More\n\n`more`\n");
  const Published published = MustPush(oracle_, TestPublication());
  EXPECT_EQ(RemoteHead(), published.commit);
  const std::string index = AtRemote("cuda/INDEX.md");
  EXPECT_NE(index.find("05-more.md"), std::string::npos) << index;
  EXPECT_NE(index.find("02-streams.md"), std::string::npos) << index;
  EXPECT_EQ(oracle_.Git({"rev-parse", "HEAD"}), published.commit);
  EXPECT_EQ(oracle_.Git({"status", "--porcelain"}), "");
}

TEST_F(PushTest, AConflictIsRefusedAndNamed) {
  const TestOracle other(oracle_.path());
  PushFrom(other, "cuda/02-other.md", "# Another second page\n");
  const std::string before = RemoteHead();
  const auto everything = oracle_.Everything();
  const Result<Published> refused = Push(oracle_, TestPublication());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kUsage);
  EXPECT_NE(refused.error().message.find("origin has changed since and conflicts"),
            std::string::npos)
      << refused.error().message;
  EXPECT_NE(refused.error().hint.find("git pull"), std::string::npos);
  EXPECT_EQ(RemoteHead(), before);
  EXPECT_EQ(oracle_.Everything(), everything);
}

TEST_F(PushTest, OtherPinsOrAnotherPlanAtTheRemoteAreRefused) {
  for (const std::string& path : {std::string("sibyl.toml"), std::string(kTestPlanPath)}) {
    const MemoryFolder guard;
    const TestOracle mine;
    const TestOracle other(mine.path());
    const std::string remote = (guard.path() / "remote.git").string();
    mine.Git({"clone", "-q", "--bare", mine.path().string(), remote});
    for (const TestOracle* each : {&mine, &other}) {
      each->Git({"remote", "add", "origin", remote});
      each->Git({"fetch", "-q", "origin"});
      each->Git({"branch", "-q", "--set-upstream-to=origin/main"});
    }
    PushFrom(other, path, "# something else\n");
    const Result<Published> refused = Push(mine, TestPublication());
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("origin has another " + path), std::string::npos)
        << refused.error().message;
  }
}

// Ended between the push and the record of it.
TEST_F(PushTest, ARepetitionFindsWhatWasPushed) {
  const TestOracle again(oracle_.path());
  const Published first = MustPush(oracle_, TestPublication());
  const Published second = MustPush(again, TestPublication());
  EXPECT_EQ(second.commit, first.commit);
  EXPECT_EQ(second.id, first.id);
  EXPECT_EQ(second.plan_now, first.plan_now);
  ASSERT_EQ(second.files.size(), first.files.size());
  EXPECT_EQ(second.files[1].drop, first.files[1].drop);
  EXPECT_EQ(second.files[1].citations, first.files[1].citations);
  EXPECT_EQ(RemoteHead(), first.commit) << "nothing was pushed twice";
  EXPECT_EQ(again.Everything(), oracle_.Everything());
}

TEST_F(PushTest, APublisherThatIsKilledAnywhereIsRepeated) {
  const TestOracle alone;
  ASSERT_TRUE(Publish(TestPublication(Part3::kDelivered), alone.options()).ok());
  const std::string start = RemoteHead();
  bool went_through = false;
  for (int at = 1; !went_through; at += 13) {
    ASSERT_LT(at, 300);
    const TestOracle mine(oracle_.path());
    oracle_.Git({"--git-dir=" + Remote(), "update-ref", "refs/heads/main", start});
    const int ended = EndOfChild(BeginChild([&] {
      FaultyDisk disk(FaultyDisk::Trouble::kKill, at);
      const auto published = PublishAndPush(TestPublication(Part3::kDelivered), mine.options(&disk),
                                            *UserState::Open(mine.state()));
      return published.ok() ? 0 : 1;
    }));
    went_through = ended == 0;
    MustPush(mine, TestPublication(Part3::kDelivered));
    ASSERT_EQ(mine.Everything(), alone.Everything()) << "killed at " << at;
  }
}

Publication OtherPublication(const std::string& plan, const std::string& text,
                             const std::string& page) {
  Publication publication{.plan = plan, .plan_text = text};
  publication.delivered.push_back(
      {.part = 0, .file = gate::TestVerified::Of(TestDraft(page, "Page " + page, "Order"))});
  return publication;
}

TEST_F(PushTest, TwoPublishersAtOnceLoseNothing) {
  constexpr std::size_t kPublishers = 3;
  std::vector<std::unique_ptr<TestOracle>> copies;
  std::vector<Publication> publications;
  for (std::size_t i = 0; i < kPublishers; ++i) {
    const std::string page = "cuda/1" + std::to_string(i) + "-page.md";
    const std::string plan = "_ingest-auto/expansion-p" + std::to_string(i) + "/ingestion.md";
    const std::string text = "# Oracle Knowledge Expansion: P\n\n## PART 1: Create " + page +
                             " (100 lines)\n\n- [ ] PART 1: Create " + page + "\n";
    oracle_.Write(plan, text);
    publications.push_back(OtherPublication(plan, text, page));
  }
  oracle_.Git({"add", "-A"});
  oracle_.Git({"commit", "-q", "-m", "plans"});
  oracle_.Git({"push", "-q", "origin", "main"});
  for (std::size_t i = 0; i < kPublishers; ++i) {
    copies.push_back(std::make_unique<TestOracle>(oracle_.path()));
  }
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < kPublishers; ++i) {
      threads.emplace_back([&, i] { MustPush(*copies.at(i), publications.at(i)); });
    }
  }
  const std::string index = AtRemote("cuda/INDEX.md");
  for (std::size_t i = 0; i < kPublishers; ++i) {
    EXPECT_NE(index.find("1" + std::to_string(i) + "-page.md"), std::string::npos) << index;
  }
  EXPECT_EQ(oracle_.Git({"rev-list", "--count", "origin/main"}), std::to_string(2 + kPublishers));
  EXPECT_EQ(oracle_.Git({"rev-list", "--merges", "--count", "origin/main"}), "0");
}

// Issue 24: the publisher that lost the race said nothing of its clone that was behind.
TEST_F(PushTest, AWorkingCopyWithoutTheCommitOfAnotherPublisherIsTold) {
  const TestOracle other(oracle_.path());
  const Published published = MustPush(oracle_, TestPublication());
  const Root here = *Root::Open(oracle_.path());
  const Root there = *Root::Open(other.path());
  EXPECT_FALSE(FindPublishedElsewhere(published, here));
  const auto finding = FindPublishedElsewhere(published, there);
  ASSERT_TRUE(finding);
  EXPECT_NE(finding->message.find(published.commit.substr(0, 10)), std::string::npos);
  EXPECT_NE(finding->hint.find("git pull"), std::string::npos);
  other.Git({"pull", "-q", "--ff-only"});
  EXPECT_FALSE(FindPublishedElsewhere(published, there));
}

TEST_F(PushTest, NoHookOfAnyoneIsRun) {
  const fs::path marker = folder_.path() / "ran";
  const std::string script = "#!/bin/sh\ntouch '" + marker.string() + "'\n";
  for (const char* name : {"pre-commit", "commit-msg", "post-commit", "pre-push", "post-checkout",
                           "post-merge", "reference-transaction"}) {
    oracle_.SetHook(name, script);
  }
  MustPush(oracle_, TestPublication());
  EXPECT_FALSE(fs::exists(marker));
}

TEST_F(PushTest, ALinkInTheRemoteLeadsNowhere) {
  const TestOracle other(oracle_.path());
  const fs::path outside = folder_.path() / "outside";
  fs::create_directories(outside);
  other.Git({"rm", "-rq", "cuda"});
  fs::create_symlink(outside, other.path() / "cuda");
  other.Git({"add", "-A"});
  other.Git({"commit", "-q", "-m", "a trap"});
  other.Git({"push", "-q", "origin", "main"});
  EXPECT_FALSE(Push(oracle_, TestPublication()).ok());
  EXPECT_TRUE(fs::is_empty(outside));
}

TEST_F(PushTest, WhatCannotBePushedIsRefusedBeforeTheWork) {
  EXPECT_TRUE(FindPushTarget(oracle_.options()).ok());
  oracle_.Write("cuda/00-old.md", "# Edited\n");
  const auto dirty = FindPushTarget(oracle_.options());
  ASSERT_FALSE(dirty.ok());
  EXPECT_NE(dirty.error().message.find("cuda/00-old.md of the working copy is not committed"),
            std::string::npos)
      << dirty.error().message;
  oracle_.Git({"commit", "-qam", "mine"});
  const Result<Published> ahead = Push(oracle_, TestPublication());
  ASSERT_FALSE(ahead.ok());
  EXPECT_EQ(ahead.error().message, "the working copy has commits that origin does not have");
  oracle_.Git({"branch", "-q", "--unset-upstream"});
  const auto alone = FindPushTarget(oracle_.options());
  ASSERT_FALSE(alone.ok());
  EXPECT_EQ(alone.error().hint, "git push -u origin main");
  oracle_.Git({"checkout", "-q", "--detach"});
  EXPECT_FALSE(FindPushTarget(oracle_.options()).ok());
}

TEST_F(PushTest, AWorkingCopyThatCannotFollowIsToldSo) {
  // A file of the person is in the way of the drop.
  const std::string drop =
      "_ingest-auto/expansion-gadget-2026-11-15/KNOWLEDGE-DROP-profiler-2026-11-15.md";
  oracle_.Write(drop, "my notes\n");
  const Published published = MustPush(oracle_, TestPublication());
  ASSERT_FALSE(published.findings.empty());
  EXPECT_EQ(published.findings.back().code, "publish/behind");
  EXPECT_EQ(RemoteHead(), published.commit);
  EXPECT_EQ(oracle_.Read(drop), "my notes\n");
}

}  // namespace
}  // namespace sibyl::library
