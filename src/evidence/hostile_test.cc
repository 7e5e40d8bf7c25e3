// SPDX-License-Identifier: Apache-2.0
// Sources made to hurt, and disks that are full: a clear word, within limits,
// and nothing half-written.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <csignal>

#include "evidence/evidence.h"
#include "evidence/folder_walk.h"
#include "evidence/test_oracle.h"
#include "git/pack_writer.h"
#include "git/test_git.h"
#include "git/tree.h"
#include "git/tree_writer.h"

namespace sibyl::evidence {
namespace {

namespace fs = std::filesystem;

/// Trees as git would never write them.
class HostileTree : public testing::Test {
 public:
  HostileTree() : mirror_(folder_.path() / "m.git") { EXPECT_TRUE(mirror_.Create("test").ok()); }

  Snapshot List(const git::ObjectId& tree, const SnapshotLimits& limits = {}) {
    Result<Snapshot> snapshot = Snapshot::List(*mirror_.Open(), tree, {}, limits);
    EXPECT_TRUE(snapshot.ok());
    return std::move(snapshot).value();
  }

  // Each level names the next sixteen times: 16^levels files in so many objects.
  static git::ObjectId WriteBomb(const fs::path& objects, int levels) {
    Result<git::PackWriter> writer = git::PackWriter::Create(objects);
    git::Deflater deflater;
    const git::PackedObject blob = git::PackObject(git::ObjectType::kBlob, "x\n", deflater);
    EXPECT_TRUE(writer->Add(blob).ok());
    git::ObjectId tree = blob.id;
    for (int level = 0; level < levels; ++level) {
      std::string bytes;
      for (char name = 'a'; name < 'q'; ++name) {
        bytes += Entry(level == 0 ? "100644" : "40000", std::string(1, name), tree);
      }
      const git::PackedObject next = git::PackObject(git::ObjectType::kTree, bytes, deflater);
      EXPECT_TRUE(writer->Add(next).ok());
      tree = next.id;
    }
    EXPECT_TRUE(writer->Finish().ok());
    return tree;
  }

  static std::string Entry(std::string_view mode, std::string_view name, const git::ObjectId& id) {
    std::string entry = std::string(mode) + " " + std::string(name);
    entry += '\0';
    return entry.append(reinterpret_cast<const char*>(id.bytes.data()), git::ObjectId::kBytes);
  }

  TemporaryFolder folder_;
  Mirror mirror_;
  git::Deflater deflater_;
};

TEST_F(HostileTree, NestedTooDeepIsCutWithAReason) {
  Result<git::PackWriter> writer = git::PackWriter::Create(mirror_.objects());
  const git::PackedObject blob = git::PackObject(git::ObjectType::kBlob, "x\n", deflater_);
  ASSERT_TRUE(writer->Add(blob).ok());
  git::ObjectId tree = blob.id;
  for (int i = 0; i < 5000; ++i) {
    const git::PackedObject next = git::PackObject(
        git::ObjectType::kTree, Entry(i == 0 ? "100644" : "40000", "d", tree), deflater_);
    ASSERT_TRUE(writer->Add(next).ok());
    tree = next.id;
  }
  ASSERT_TRUE(writer->Finish().ok());
  const Snapshot snapshot = List(tree);
  ASSERT_EQ(snapshot.files().size(), 1u);
  EXPECT_EQ(snapshot.files()[0].skip, SkipReason::kOddPath);
}

TEST_F(HostileTree, ThatMultipliesIsRefused) {
  const git::ObjectId tree = WriteBomb(mirror_.objects(), 12);
  const auto objects = *mirror_.Open();
  const Result<Snapshot> snapshot = Snapshot::List(objects, tree, {}, {.max_paths = 10'000});
  ASSERT_FALSE(snapshot.ok());
  EXPECT_EQ(snapshot.error().kind, ErrorKind::kUnavailable) << "others are synced all the same";
  EXPECT_NE(snapshot.error().message.find("more than 10000 files and folders"), std::string::npos)
      << snapshot.error().message;
  const Status counted = CheckTreeSize(*objects, tree);
  ASSERT_FALSE(counted.ok());
  EXPECT_NE(counted.error().message.find("more than 2000000"), std::string::npos);
}

// 16 + 16^2 + 16^3 files and folders.
TEST_F(HostileTree, IsCountedExactlyWithoutBeingListed) {
  const git::ObjectId tree = WriteBomb(mirror_.objects(), 3);
  const auto objects = *mirror_.Open();
  constexpr std::size_t kPaths = 16 + 256 + 4096;
  EXPECT_TRUE(CheckTreeSize(*objects, tree, {.max_paths = kPaths}).ok());
  EXPECT_FALSE(CheckTreeSize(*objects, tree, {.max_paths = kPaths - 1}).ok());
  EXPECT_TRUE(Snapshot::List(objects, tree, {}, {.max_paths = kPaths}).ok());
  EXPECT_FALSE(Snapshot::List(objects, tree, {}, {.max_paths = kPaths - 1}).ok());
  // "a", "a/b", "a/b/c"
  constexpr std::uint64_t kBytes = 16 * 1 + 256 * 3 + 4096 * 5;
  EXPECT_TRUE(CheckTreeSize(*objects, tree, {.max_all_path_bytes = kBytes}).ok());
  EXPECT_FALSE(CheckTreeSize(*objects, tree, {.max_all_path_bytes = kBytes - 1}).ok());
  EXPECT_TRUE(Snapshot::List(objects, tree, {}, {.max_all_path_bytes = kBytes}).ok());
  EXPECT_FALSE(Snapshot::List(objects, tree, {}, {.max_all_path_bytes = kBytes - 1}).ok());
}

TEST_F(HostileTree, AListingCanBeCancelled) {
  const git::ObjectId tree = WriteBomb(mirror_.objects(), 12);
  const auto objects = *mirror_.Open();
  int asked = 0;
  const SnapshotLimits limits{.cancelled = [&asked] { return ++asked > 5; }};
  EXPECT_EQ(Snapshot::List(objects, tree, {}, limits).error().kind, ErrorKind::kCancelled);
  EXPECT_EQ(asked, 6);
  EXPECT_EQ(CheckTreeSize(*objects, tree, limits).error().kind, ErrorKind::kCancelled);
  EXPECT_EQ(asked, 7);
}

// Twelve objects in a repository: nothing of it is pinned, little of it is read.
TEST(HostileRepository, WhoseTreesMultiplyIsNotPinned) {
  const TestOracle oracle;
  const git::TestGit git(oracle.folder() / "bomb");
  const fs::path objects = git.folder() / ".git/objects";
  const git::ObjectId tree = HostileTree::WriteBomb(objects, 10);
  git.Run({"update-ref", "HEAD", git.Run({"commit-tree", "-m", "bomb", tree.Hex()})});
  std::size_t asked = 0;
  Surroundings around = oracle.around();
  around.cancelled = [&asked] { return ++asked > 1000; };
  const SourceSpec spec{.name = "bomb", .kind = SourceKind::kGit, .origin = git.folder().string()};
  const Result<SourceChange> added = AddSource(spec, around);
  ASSERT_FALSE(added.ok());
  EXPECT_EQ(added.error().kind, ErrorKind::kUnavailable);
  EXPECT_EQ(added.error().message,
            "source bomb: it has more than 2000000 files and folders, or its paths exceed the size "
            "limit in total");
  EXPECT_LE(asked, 100U) << "steps, of which there is one for each tree";
  EXPECT_FALSE(fs::exists(oracle.oracle() / "sibyl.lock"));
}

TEST(HostileFolder, WithTooManyPathsIsRefused) {
  const TemporaryFolder folder;
  for (const std::string_view name : {"a", "b", "c"}) fs::create_directories(folder.path() / name);
  const Root root = *Root::Open(folder.path());
  EXPECT_TRUE(WalkFolder(root, {.max_paths = 3}).ok());
  const Result<Walk> walk = WalkFolder(root, {.max_paths = 2});
  ASSERT_FALSE(walk.ok());
  EXPECT_NE(walk.error().message.find("more than 2 files and folders"), std::string::npos);
  EXPECT_EQ(WalkFolder(root, {.cancelled = [] { return true; }}).error().kind,
            ErrorKind::kCancelled);
}

TEST_F(HostileTree, NamesThatEscapeAreNotRead) {
  Result<git::PackWriter> writer = git::PackWriter::Create(mirror_.objects());
  const git::PackedObject blob = git::PackObject(git::ObjectType::kBlob, "x\n", deflater_);
  ASSERT_TRUE(writer->Add(blob).ok());
  std::string bytes;
  for (const std::string_view name : {"..", ".", ".git", ".GIT", "a/b", ""}) {
    bytes += Entry("100644", name, blob.id);
  }
  bytes += Entry("100644", "good", blob.id) + "cut off";
  const git::PackedObject tree = git::PackObject(git::ObjectType::kTree, bytes, deflater_);
  ASSERT_TRUE(writer->Add(tree).ok() && writer->Finish().ok());
  const Snapshot snapshot = List(tree.id);
  std::size_t odd = 0;
  std::size_t corrupt = 0;
  for (const SnapshotFile& file : snapshot.files()) {
    odd += file.skip == SkipReason::kOddPath ? 1 : 0;
    corrupt += file.skip == SkipReason::kCorrupt ? 1 : 0;
    EXPECT_EQ(file.skip == SkipReason::kNone, file.path == "good");
  }
  EXPECT_EQ(odd, 6u);
  EXPECT_EQ(corrupt, 1u);
}

TEST_F(HostileTree, WithManyTinyFilesIsReadWhole) {
  constexpr int kFiles = 200'000;
  Result<git::PackWriter> writer = git::PackWriter::Create(mirror_.objects());
  const git::PackedObject blob = git::PackObject(git::ObjectType::kBlob, "x\n", deflater_);
  ASSERT_TRUE(writer->Add(blob).ok());
  std::vector<git::TreeFile> files;
  for (int i = 0; i < kFiles; ++i) {
    files.push_back(
        {std::to_string(i % 500) + "/" + std::to_string(i), git::kModeFile | 0644, blob.id});
  }
  const Result<git::ObjectId> tree = git::WriteTrees(files, *writer);
  ASSERT_TRUE(tree.ok() && writer->Finish().ok());
  const Snapshot snapshot = List(*tree);
  std::atomic<int> read{0};
  const ScanReport report = snapshot.Scan({}, [&read](const ScannedFile&) { ++read; });
  EXPECT_EQ(read, kFiles);
  EXPECT_EQ(report.text_bytes, 2u * kFiles);
}

TEST_F(HostileTree, AScanCanBeCancelled) {
  Result<git::PackWriter> writer = git::PackWriter::Create(mirror_.objects());
  const git::PackedObject blob = git::PackObject(git::ObjectType::kBlob, "x\n", deflater_);
  const std::vector<git::TreeFile> files = {{"a", git::kModeFile | 0644, blob.id}};
  ASSERT_TRUE(writer->Add(blob).ok());
  const Result<git::ObjectId> tree = git::WriteTrees(files, *writer);
  ASSERT_TRUE(tree.ok() && writer->Finish().ok());
  const ScanReport report =
      List(*tree).Scan({.cancelled = [] { return true; }}, [](const ScannedFile&) { FAIL(); });
  EXPECT_FALSE(report.complete);
}

// A limit on the size of files fails writes as a full disk does.
TEST(FullDisk, IsSaidAndLeavesNothingBehind) {
  const TestOracle oracle;
  const fs::path folder = oracle.folder() / "f";
  fs::create_directories(folder);
  std::string noise;
  for (unsigned i = 0, x = 1; i < 600'000; ++i)
    noise += static_cast<char>((x = x * 1103515245 + 12345) >> 16 | 1);
  std::ofstream(folder / "big") << "\n\n\n\n" << noise;
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{100'000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const SourceSpec spec{.name = "f", .kind = SourceKind::kFolder, .origin = folder.string()};
  const Result<SourceChange> added = AddSource(spec, oracle.around());
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, old_handler);
  ASSERT_FALSE(added.ok());
  EXPECT_NE(added.error().message.find("writing"), std::string::npos) << added.error().message;
  EXPECT_FALSE(fs::exists(oracle.oracle() / "sibyl.lock"));
  for (const auto& entry : fs::recursive_directory_iterator(oracle.folder() / "store")) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("tmp_")) << entry.path();
  }
  EXPECT_TRUE(AddSource(spec, oracle.around()).ok());
}

}  // namespace
}  // namespace sibyl::evidence
