// SPDX-License-Identifier: Apache-2.0
// Sources made to hurt, and disks that are full: a clear word, within limits,
// and nothing half-written.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <csignal>

#include "evidence/evidence.h"
#include "evidence/pack_writer.h"
#include "evidence/test_git.h"
#include "evidence/tree.h"
#include "evidence/tree_writer.h"

namespace sibyl::evidence {
namespace {

namespace fs = std::filesystem;

/// Trees as git would never write them.
class HostileTree : public testing::Test {
 protected:
  HostileTree() : mirror_(folder_.path() / "m.git") { EXPECT_TRUE(mirror_.Create("test").ok()); }

  Snapshot List(const ObjectId& tree, const SnapshotLimits& limits = {}) {
    Result<Snapshot> snapshot = Snapshot::List(*mirror_.Open(), tree, {}, limits);
    EXPECT_TRUE(snapshot.ok());
    return std::move(snapshot).value();
  }

  static std::string Entry(std::string_view mode, std::string_view name, const ObjectId& id) {
    std::string entry = std::string(mode) + " " + std::string(name);
    entry += '\0';
    return entry.append(reinterpret_cast<const char*>(id.bytes.data()), ObjectId::kBytes);
  }

  TemporaryFolder folder_;
  Mirror mirror_;
  Deflater deflater_;
};

TEST_F(HostileTree, NestedTooDeepIsCutWithAReason) {
  Result<PackWriter> writer = PackWriter::Create(mirror_.objects());
  const PackedObject blob = PackObject(ObjectType::kBlob, "x\n", deflater_);
  ASSERT_TRUE(writer->Add(blob).ok());
  ObjectId tree = blob.id;
  for (int i = 0; i < 5000; ++i) {
    const PackedObject next =
        PackObject(ObjectType::kTree, Entry(i == 0 ? "100644" : "40000", "d", tree), deflater_);
    ASSERT_TRUE(writer->Add(next).ok());
    tree = next.id;
  }
  ASSERT_TRUE(writer->Finish().ok());
  const Snapshot snapshot = List(tree);
  ASSERT_EQ(snapshot.files().size(), 1u);
  EXPECT_EQ(snapshot.files()[0].skip, SkipReason::kOddPath);
}

// Each level names the next sixteen times: 16^12 paths in thirteen objects.
TEST_F(HostileTree, ThatMultipliesEndsAtTheLimit) {
  Result<PackWriter> writer = PackWriter::Create(mirror_.objects());
  const PackedObject blob = PackObject(ObjectType::kBlob, "x\n", deflater_);
  ASSERT_TRUE(writer->Add(blob).ok());
  ObjectId tree = blob.id;
  for (int level = 0; level < 12; ++level) {
    std::string bytes;
    for (char name = 'a'; name < 'q'; ++name) {
      bytes += Entry(level == 0 ? "100644" : "40000", std::string(1, name), tree);
    }
    const PackedObject next = PackObject(ObjectType::kTree, bytes, deflater_);
    ASSERT_TRUE(writer->Add(next).ok());
    tree = next.id;
  }
  ASSERT_TRUE(writer->Finish().ok());
  const Snapshot snapshot = List(tree, {.max_files = 10'000});
  EXPECT_LE(snapshot.files().size(), 10'000u);
  ASSERT_EQ(snapshot.findings().size(), 1u);
  EXPECT_EQ(snapshot.findings()[0].code, "source/too-many-files");
}

TEST_F(HostileTree, NamesThatEscapeAreNotRead) {
  Result<PackWriter> writer = PackWriter::Create(mirror_.objects());
  const PackedObject blob = PackObject(ObjectType::kBlob, "x\n", deflater_);
  ASSERT_TRUE(writer->Add(blob).ok());
  std::string bytes;
  for (const std::string_view name : {"..", ".", ".git", ".GIT", "a/b", ""}) {
    bytes += Entry("100644", name, blob.id);
  }
  bytes += Entry("100644", "good", blob.id) + "cut off";
  const PackedObject tree = PackObject(ObjectType::kTree, bytes, deflater_);
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
  Result<PackWriter> writer = PackWriter::Create(mirror_.objects());
  const PackedObject blob = PackObject(ObjectType::kBlob, "x\n", deflater_);
  ASSERT_TRUE(writer->Add(blob).ok());
  std::vector<TreeFile> files;
  for (int i = 0; i < kFiles; ++i) {
    files.push_back({std::to_string(i % 500) + "/" + std::to_string(i), kModeFile | 0644, blob.id});
  }
  const Result<ObjectId> tree = WriteTrees(files, *writer);
  ASSERT_TRUE(tree.ok() && writer->Finish().ok());
  const Snapshot snapshot = List(*tree);
  std::atomic<int> read{0};
  const ScanReport report = snapshot.Scan({}, [&read](const Document&) { ++read; });
  EXPECT_EQ(read, kFiles);
  EXPECT_EQ(report.text_bytes, 2u * kFiles);
}

TEST_F(HostileTree, AScanCanBeCancelled) {
  Result<PackWriter> writer = PackWriter::Create(mirror_.objects());
  const PackedObject blob = PackObject(ObjectType::kBlob, "x\n", deflater_);
  const std::vector<TreeFile> files = {{"a", kModeFile | 0644, blob.id}};
  ASSERT_TRUE(writer->Add(blob).ok());
  const Result<ObjectId> tree = WriteTrees(files, *writer);
  ASSERT_TRUE(tree.ok() && writer->Finish().ok());
  const ScanReport report =
      List(*tree).Scan({.cancelled = [] { return true; }}, [](const Document&) { FAIL(); });
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
