// SPDX-License-Identifier: Apache-2.0
// Repositories over http that break: a server of git's own that hangs up wherever
// the test likes. After every break the next fetch completes, and what had come is
// not asked for again.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <random>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "engine/test_git_http.h"
#include "evidence/history/history.h"
#include "evidence/store.h"
#include "git/fetch.h"
#include "git/fetch_history.h"
#include "git/fetch_resume.h"
#include "git/test_git.h"
#include "net/test_server.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

// Bytes that no compression makes shorter, so that sizes on the wire are what they
// seem; as text, so that nobody takes them for anything else.
std::string Noise(std::uint32_t seed, std::size_t bytes) {
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < bytes) {
    text += static_cast<char>('!' + random() % 90);
    if (text.size() % 70 == 0) text += '\n';
  }
  return text;
}

class BreakingGit : public testing::Test {
 protected:
  static constexpr int kFiles = 150;
  static constexpr std::size_t kFileBytes = 4000;

  BreakingGit()
      : git_(folder_.path() / "served" / "r"),
        server_([this](const std::string& request) { return Serve(request); }) {
    for (int i = 0; i < kFiles; ++i) {
      git_.Write("folder" + std::to_string(i % 7) + "/file" + std::to_string(i) + ".txt",
                 Noise(static_cast<std::uint32_t>(i), kFileBytes));
    }
    git_.Commit("first");
    git_.Write("folder1/file1.txt", Noise(1000, kFileBytes));
    commit_ = git_.Commit("second");
    git_.Run({"config", "uploadpack.allowFilter", "true"});
    git_.Run({"repack", "-q", "-a", "-d"});
  }

  net::TestAnswer Serve(const std::string& request) {
    net::TestAnswer answer = ServeGit(folder_.path() / "served", request);
    const bool is_pack = answer.bytes.find("packfile\n") != std::string::npos;
    if (is_pack && change_) change_(request, answer);
    served_ += answer.bytes.size();
    if (is_pack) ++packs_;
    return answer;
  }

  // The pack is cut after a share of it, as often as said.
  void CutPacks(double share, int times) {
    cuts_ = times;
    change_ = [this, share](const std::string&, net::TestAnswer& answer) {
      if (cuts_-- <= 0) return;
      answer.bytes.resize(
          static_cast<std::size_t>(static_cast<double>(answer.bytes.size()) * share));
      answer.then = net::TestAnswer::Then::kClose;
    };
  }

  fs::path NewMirror() {
    const evidence::Mirror mirror(folder_.path() / ("mirror" + std::to_string(mirrors_++)));
    EXPECT_TRUE(mirror.Create("test").ok());
    return mirror.folder();
  }

  Result<git::ObjectId> Fetch(const fs::path& mirror, std::string_view ref = "main",
                              int further_tries = 0) {
    git::FetchOptions options;
    options.pauses.assign(static_cast<std::size_t>(further_tries), std::chrono::milliseconds(5));
    options.progress = [this](std::string_view line) { said_ += std::string(line) + "\n"; };
    return git::FetchCommit(mirror, server_.url("/r"), ref, options);
  }

  // One commit and all it needs, as git sees it, and nothing beside it.
  void ExpectWhole(const fs::path& mirror, const std::string& commit) {
    const auto objects = git::ObjectDatabase::Open(mirror / "objects");
    ASSERT_TRUE(objects.ok());
    const git::CommitNeeds needs = git::FindNeeds(*objects, *git::ObjectId::FromHex(commit));
    EXPECT_TRUE(needs.has_skeleton);
    EXPECT_TRUE(needs.lost_blobs.empty());
    EXPECT_FALSE(fs::exists(mirror / "resume"));
    for (const auto& entry : fs::directory_iterator(mirror / "objects" / "pack")) {
      const std::string name = entry.path().filename().string();
      EXPECT_TRUE(name.starts_with("pack-")) << name;
      EXPECT_FALSE(name.ends_with(".promisor")) << name;
    }
    EXPECT_EQ(ReadFile(mirror / "config")->find("promisor"), std::string::npos);
    EXPECT_EQ(ReadFile(mirror / "config")->find("partial"), std::string::npos);
    git_.Run({"--git-dir=" + mirror.string(), "fsck", "--full", "--strict"});
    EXPECT_EQ(git_.Run({"--git-dir=" + mirror.string(), "rev-list", "--count", commit}), "1");
  }

  std::size_t UnbrokenBytes() {
    const fs::path mirror = NewMirror();
    const std::size_t before = served_;
    EXPECT_TRUE(Fetch(mirror).ok());
    ExpectWhole(mirror, commit_);
    return served_ - before;
  }

  TemporaryFolder folder_;
  git::TestGit git_;
  std::string commit_;
  std::function<void(const std::string&, net::TestAnswer&)> change_;
  std::atomic<int> cuts_ = 0;
  std::atomic<std::size_t> served_ = 0;
  std::atomic<int> packs_ = 0;
  std::string said_;
  int mirrors_ = 0;
  net::TestServer server_;
};

TEST_F(BreakingGit, IsNotAskedAgainForWhatHadCome) {
  const std::size_t unbroken = UnbrokenBytes();
  for (const double share : {0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999}) {
    const fs::path mirror = NewMirror();
    CutPacks(share, 1);
    const std::size_t before = served_;
    const Result<git::ObjectId> broken = Fetch(mirror);
    ASSERT_FALSE(broken.ok()) << share;
    EXPECT_EQ(broken.error().kind, ErrorKind::kUnavailable);
    EXPECT_NE(broken.error().hint.find("run it again to resume"), std::string::npos)
        << broken.error().message << "; " << broken.error().hint;
    const Result<git::ObjectId> resumed = Fetch(mirror);
    ASSERT_TRUE(resumed.ok()) << share << ": " << resumed.error().message;
    EXPECT_EQ(resumed->Hex(), commit_);
    ExpectWhole(mirror, commit_);
    const auto ratio = static_cast<double>(served_ - before) / static_cast<double>(unbroken);
    EXPECT_LT(ratio, 1.15) << "broken at " << share;
    RecordProperty("ratio_at_" + std::to_string(static_cast<int>(share * 1000)),
                   std::to_string(ratio));
  }
}

TEST_F(BreakingGit, ThatBreaksAgainAndAgainIsEndedByPatience) {
  const std::size_t unbroken = UnbrokenBytes();
  const fs::path mirror = NewMirror();
  CutPacks(0.4, 4);
  const std::size_t before = served_;
  int tries = 0;
  while (!Fetch(mirror).ok()) ASSERT_LT(++tries, 10);
  EXPECT_EQ(tries, 4);
  ExpectWhole(mirror, commit_);
  EXPECT_LT(static_cast<double>(served_ - before), 1.3 * static_cast<double>(unbroken));
}

TEST_F(BreakingGit, IsTriedAgainByItself) {
  const fs::path mirror = NewMirror();
  CutPacks(0.6, 2);
  const Result<git::ObjectId> commit = Fetch(mirror, "main", 2);
  ASSERT_TRUE(commit.ok()) << commit.error().message;
  ExpectWhole(mirror, commit_);
  EXPECT_NE(said_.find("retrying"), std::string::npos);
  EXPECT_NE(said_.find("resuming"), std::string::npos) << said_;
}

// Commits and trees, no files; and the second time only what is new.
TEST_F(BreakingGit, GivesItsHistoryWithoutFiles) {
  const evidence::Mirror mirror(NewMirror());
  const evidence::Mirror repository = evidence::HistoryRepository(mirror);
  ASSERT_TRUE(repository.Create("test").ok());
  const auto fetch = [&](const std::string& commit, git::FetchOptions options) {
    return git::FetchHistory(repository.folder(), server_.url("/r"),
                             *git::ObjectId::FromHex(commit), options);
  };
  const std::size_t unbroken = UnbrokenBytes();
  std::size_t before = served_;
  CutPacks(0.5, 1);
  const Status fetched = fetch(commit_, {.pauses = {std::chrono::milliseconds(5)}});
  ASSERT_TRUE(fetched.ok()) << fetched.error().message;
  EXPECT_LT(served_ - before, unbroken / 10) << "files were sent";
  const auto read = [&](const std::string& commit) -> std::size_t {
    const auto objects = repository.Open();
    const Result<std::size_t> count =
        evidence::RecordHistory({.objects = **objects, .commit = *git::ObjectId::FromHex(commit)},
                                mirror, evidence::CommitCopies::kNone);
    EXPECT_TRUE(count.ok()) << (count.ok() ? "" : count.error().message);
    return count.ok() ? *count : 0;
  };
  EXPECT_EQ(read(commit_), 2U);
  git_.Write("folder1/file1.txt", Noise(2000, kFileBytes));
  const std::string third = git_.Commit("third");
  before = served_;
  change_ = {};
  ASSERT_TRUE(fetch(third, {}).ok());
  EXPECT_LT(served_ - before, 6000U);
  EXPECT_EQ(read(third), 3U);
  const auto history = evidence::OpenHistory(mirror, *git::ObjectId::FromHex(third));
  ASSERT_TRUE(history.ok());
  const auto path = history->file.FindPath("folder1/file1.txt");
  ASSERT_TRUE(path);
  EXPECT_EQ(history->file.CommitsOf(*path).size(), 2U);
  before = served_;
  ASSERT_TRUE(fetch(third, {}).ok());
  EXPECT_EQ(served_, before) << "it is here";
  EXPECT_EQ(fetch(std::string(40, 'a'), {}).error().kind, ErrorKind::kUnavailable);
}

TEST_F(BreakingGit, InTroubleIsTriedAgain) {
  const fs::path mirror = NewMirror();
  std::atomic<int> troubles = 2;
  change_ = [&troubles](const std::string&, net::TestAnswer& answer) {
    if (troubles-- > 0) answer = net::TestPage("503 Busy", "", "later");
  };
  const Result<git::ObjectId> commit = Fetch(mirror, "main", 2);
  ASSERT_TRUE(commit.ok()) << commit.error().message;
  ExpectWhole(mirror, commit_);
}

TEST_F(BreakingGit, KeepsTagsAndNamesAsAnUnbrokenFetchDoes) {
  git_.Run({"tag", "-a", "v1", "-m", "first"});
  const fs::path unbroken = NewMirror();
  ASSERT_TRUE(Fetch(unbroken, "v1").ok());
  const fs::path mirror = NewMirror();
  CutPacks(0.5, 1);
  ASSERT_FALSE(Fetch(mirror, "v1").ok());
  ASSERT_TRUE(Fetch(mirror, "v1").ok());
  ExpectWhole(mirror, commit_);
  const auto refs = [&](const fs::path& repository) {
    return git_.Run({"--git-dir=" + repository.string(), "for-each-ref"});
  };
  EXPECT_EQ(refs(mirror), refs(unbroken));
  EXPECT_EQ(*ReadFile(mirror / "shallow"), *ReadFile(unbroken / "shallow"));

  const fs::path by_id = NewMirror();
  CutPacks(0.5, 1);
  ASSERT_FALSE(Fetch(by_id, commit_).ok());
  ASSERT_EQ(Fetch(by_id, commit_)->Hex(), commit_);
  ExpectWhole(by_id, commit_);
}

// The commit that was begun is not the one that is wanted now; most files are.
TEST_F(BreakingGit, ThatMovedInBetweenIsCompletedAtItsNewCommit) {
  const std::size_t unbroken = UnbrokenBytes();
  const fs::path mirror = NewMirror();
  CutPacks(0.7, 1);
  const std::size_t before = served_;
  ASSERT_FALSE(Fetch(mirror).ok());
  git_.Write("folder2/file2.txt", Noise(2000, kFileBytes));
  const std::string moved = git_.Commit("third");
  const Result<git::ObjectId> commit = Fetch(mirror);
  ASSERT_TRUE(commit.ok()) << commit.error().message;
  EXPECT_EQ(commit->Hex(), moved);
  ExpectWhole(mirror, moved);
  EXPECT_LT(static_cast<double>(served_ - before), 1.3 * static_cast<double>(unbroken));
}

// A mirror that has an older commit gets a thin pack, whose bases it has.
TEST_F(BreakingGit, GoesOnWithAnUpdateToo) {
  const fs::path mirror = NewMirror();
  ASSERT_TRUE(Fetch(mirror).ok());
  for (int i = 0; i < kFiles; i += 2) {
    const std::string path =
        "folder" + std::to_string(i % 7) + "/file" + std::to_string(i) + ".txt";
    git_.Write(path, *ReadFile(git_.folder() / path) + Noise(5000 + static_cast<unsigned>(i), 900));
  }
  const std::string moved = git_.Commit("third");
  git_.Run({"repack", "-q", "-a", "-d"});
  for (const double share : {0.3, 0.8}) {
    const fs::path copy = folder_.path() / ("copy" + std::to_string(share));
    fs::copy(mirror, copy, fs::copy_options::recursive);
    CutPacks(share, 1);
    ASSERT_FALSE(Fetch(copy).ok());
    const Result<git::ObjectId> commit = Fetch(copy);
    ASSERT_TRUE(commit.ok()) << commit.error().message;
    EXPECT_EQ(commit->Hex(), moved);
    ExpectWhole(copy, moved);
    ExpectWhole(copy, commit_);
  }
}

TEST_F(BreakingGit, WithoutFiltersIsCompletedToo) {
  git_.Run({"config", "uploadpack.allowFilter", "false"});
  for (const double share : {0.01, 0.7}) {
    const fs::path mirror = NewMirror();
    CutPacks(share, 1);
    ASSERT_FALSE(Fetch(mirror).ok());
    const Result<git::ObjectId> commit = Fetch(mirror);
    ASSERT_TRUE(commit.ok()) << commit.error().message;
    ExpectWhole(mirror, commit_);
  }
}

// Servers of the old protocol give only what a name leads to.
TEST_F(BreakingGit, ThatGivesNoSingleObjectsIsFetchedWhole) {
  const fs::path mirror = NewMirror();
  CutPacks(0.7, 1);
  ASSERT_FALSE(Fetch(mirror).ok());
  std::atomic<int> refused = 0;
  change_ = [&](const std::string& request, net::TestAnswer& answer) {
    // The request for single objects is the one that is long enough to be compressed.
    if (request.find("Content-Encoding: gzip") == std::string::npos) return;
    ++refused;
    const std::string error = "ERR upload-pack: not our ref 0123";
    answer = net::TestPage("200 OK", "Content-Type: application/x-git-upload-pack-result\r\n",
                           "0025" + error);
  };
  const Result<git::ObjectId> commit = Fetch(mirror);
  ASSERT_TRUE(commit.ok()) << commit.error().message;
  EXPECT_EQ(refused, 1);
  ExpectWhole(mirror, commit_);
}

// Cancelling kills git with its whole group, by SIGKILL, wherever it is: receiving,
// indexing, rescuing, packing.
TEST_F(BreakingGit, ThatIsKilledAtAnyMomentIsCompleted) {
  change_ = [](const std::string&, net::TestAnswer& answer) {
    answer.pause = std::chrono::milliseconds(1);
    answer.piece_bytes = 8 << 10;
  };
  int kills = 0;  // a quick machine may be done before the longest wait
  for (const int step_ms : {15, 60, 170}) {
    const fs::path mirror = NewMirror();
    for (int wait_ms = step_ms;; wait_ms += step_ms) {
      const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(wait_ms);
      const auto is_over = [deadline] { return std::chrono::steady_clock::now() > deadline; };
      const Result<git::ObjectId> commit =
          git::FetchCommit(mirror, server_.url("/r"), "main", {.cancelled = is_over, .pauses = {}});
      if (commit.ok()) break;
      EXPECT_EQ(commit.error().kind, ErrorKind::kCancelled) << commit.error().message;
      ASSERT_LT(++kills, 500);
    }
    ExpectWhole(mirror, commit_);
  }
  EXPECT_GT(kills, 0);
}

TEST_F(BreakingGit, LeavesNoPasswordBehind) {
  const fs::path mirror = NewMirror();
  CutPacks(0.5, 2);
  std::string url = server_.url("/r");
  url.insert(url.find("//") + 2, "someone:s3cr3t-word@");
  // Everybody on this machine can read the arguments of git, so it gets no such URL.
  const Result<git::ObjectId> commit = git::FetchCommit(mirror, url, "main", {.pauses = {}});
  ASSERT_FALSE(commit.ok());
  EXPECT_EQ(commit.error().message.find("s3cr3t"), std::string::npos);
  if (fs::exists(mirror)) {
    for (const auto& entry : fs::recursive_directory_iterator(mirror)) {
      if (!entry.is_regular_file()) continue;
      EXPECT_EQ(ReadFile(entry.path())->find("s3cr3t"), std::string::npos) << entry.path();
    }
  }
}

}  // namespace
}  // namespace sibyl::engine
