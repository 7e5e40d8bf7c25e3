// SPDX-License-Identifier: Apache-2.0
#include "evidence/shared/shared_store.h"

#include <gtest/gtest.h>
#include <utime.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "evidence/shared/store_upkeep.h"

namespace sibyl::evidence {
namespace {

namespace fs = std::filesystem;

class SharedStoreTest : public testing::Test {
 protected:
  SharedStoreTest() { EXPECT_TRUE(SharedStore::Init(top() / "shared").ok()); }

  const fs::path& top() const { return folder_.path(); }
  SharedStore Open() const { return *SharedStore::Open(top() / "shared"); }

  GivenFile File(const std::string& name, const std::string& bytes) const {
    const fs::path path = top() / name;
    EXPECT_TRUE(WriteFileAtomically(path, bytes).ok());
    return {.name = name, .path = path};
  }

  void Give(const std::string& record, const std::vector<GivenFile>& files) const {
    const Status given = Open().Give(RecordKind::kIndex, record, files);
    ASSERT_TRUE(given.ok()) << given.error().message;
  }

  Result<bool> Bring(const std::string& record) const {
    fs::create_directories(top() / "local");
    return Open().Bring(RecordKind::kIndex, record,
                        [this](const std::string& file) { return top() / "local" / file; });
  }

  std::vector<fs::path> Stored() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(top() / "shared" / "files")) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    return files;
  }

  void Damage(const fs::path& file) const {
    fs::permissions(file, fs::perms::owner_write, fs::perm_options::add);
    std::ofstream(file) << "other bytes";
  }

  // As if it had been written so many days ago.
  static void Age(const fs::path& file, int days) {
    const std::time_t then = std::time(nullptr) - std::time_t{days} * 24 * 60 * 60;
    const utimbuf times{.actime = then, .modtime = then};
    ASSERT_EQ(::utime(file.c_str(), &times), 0);
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(SharedStoreTest, WhatOneMachineGivesAnotherGets) {
  Give("a", {File("one.segment", "first"), File("manifest", "second")});
  EXPECT_TRUE(Open().Has(RecordKind::kIndex, "a"));
  EXPECT_FALSE(Open().Has(RecordKind::kSource, "a"));
  ASSERT_TRUE(*Bring("a"));
  EXPECT_EQ(*ReadFile(top() / "local" / "one.segment"), "first");
  EXPECT_EQ(*ReadFile(top() / "local" / "manifest"), "second");
  EXPECT_FALSE(*Bring("b"));
}

TEST_F(SharedStoreTest, EqualFilesAreKeptOnce) {
  Give("a", {File("x", "the same"), File("y", "the same")});
  Give("b", {File("z", "the same")});
  EXPECT_EQ(Stored().size(), 1U);
}

TEST_F(SharedStoreTest, ManyWritersOfOneRecordLeaveItWhole) {
  const std::vector<GivenFile> files = {File("x", std::string(100'000, 'x')), File("y", "y")};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) threads.emplace_back([&] { Give("a", files); });
  }
  ASSERT_TRUE(*Bring("a"));
  EXPECT_EQ(*ReadFile(top() / "local" / "y"), "y");
  EXPECT_EQ(CheckStore(Open(), {})->findings.size(), 0U);
  EXPECT_TRUE(fs::is_empty(top() / "shared" / "staging"));
}

TEST_F(SharedStoreTest, ADamagedFileIsNeverUsed) {
  Give("a", {File("x", "right")});
  Damage(Stored().front());
  const Result<bool> brought = Bring("a");
  ASSERT_FALSE(brought.ok());
  EXPECT_EQ(brought.error().kind, ErrorKind::kCorrupt);
  EXPECT_FALSE(fs::exists(top() / "local" / "x"));
}

TEST_F(SharedStoreTest, ALostFileIsAsIfTheRecordWereNotThere) {
  Give("a", {File("x", "right")});
  fs::remove(Stored().front());
  EXPECT_FALSE(*Bring("a"));
  EXPECT_FALSE(Open().Has(RecordKind::kIndex, "a"));
  Give("a", {File("x", "right")});
  EXPECT_TRUE(*Bring("a"));
}

TEST_F(SharedStoreTest, CheckReportsWhatIsDamagedAndRepairRemovesIt) {
  Give("a", {File("x", "right")});
  Give("b", {File("y", "whole")});
  for (const fs::path& file : Stored()) {
    if (*ReadFile(file) == "right") Damage(file);
  }
  const Result<StoreCheck> found = CheckStore(Open(), {});
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->findings.size(), 2U);
  EXPECT_EQ(found->findings[0].code, "store/damaged");
  EXPECT_EQ(found->findings[1].code, "store/incomplete");
  EXPECT_EQ(found->content.indexes, 1U);
  EXPECT_EQ(CheckStore(Open(), {.repair = true})->findings.size(), 2U);
  EXPECT_EQ(CheckStore(Open(), {})->findings.size(), 0U);
  EXPECT_TRUE(*Bring("b"));
  EXPECT_FALSE(*Bring("a"));
}

TEST_F(SharedStoreTest, CollectionRemovesWhatIsOldAndWhatNothingNames) {
  Give("old", {File("x", "old")});
  Give("new", {File("y", "new")});
  for (const fs::path& file : Stored()) Age(file, 40);
  Age(top() / "shared" / "records" / "indexes" / "old.json", 40);
  std::ofstream(top() / "shared" / "staging" / "copy-abc") << "interrupted";
  Age(top() / "shared" / "staging" / "copy-abc", 2);
  const Result<Collected> dry = CollectStore(Open(), {.dry_run = true});
  ASSERT_TRUE(dry.ok()) << dry.error().message;
  EXPECT_EQ(dry->records, 1U);
  EXPECT_TRUE(Open().Has(RecordKind::kIndex, "old"));
  const Result<Collected> collected = CollectStore(Open(), {});
  EXPECT_EQ(collected->records, 1U);
  EXPECT_EQ(collected->files, 2U);
  EXPECT_EQ(collected->kept.indexes, 1U);
  EXPECT_FALSE(Open().Has(RecordKind::kIndex, "old"));
  EXPECT_TRUE(*Bring("new"));
  EXPECT_TRUE(fs::is_empty(top() / "shared" / "staging"));
}

TEST_F(SharedStoreTest, WhatWasJustUsedIsKept) {
  Give("a", {File("x", "old")});
  Age(top() / "shared" / "records" / "indexes" / "a.json", 40);
  ASSERT_TRUE(*Bring("a"));
  EXPECT_EQ(CollectStore(Open(), {})->records, 0U);
}

TEST_F(SharedStoreTest, AnEmptyMountPointIsNotAStore) {
  fs::create_directories(top() / "mnt");
  const Result<SharedStore> opened = SharedStore::Open(top() / "mnt");
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().kind, ErrorKind::kNotFound);
  EXPECT_NE(opened.error().hint.find("mount it"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(top() / "mnt"));
  EXPECT_FALSE(SharedStore::Open("relative").ok());
  EXPECT_FALSE(SharedStore::Init(top()).ok());
  EXPECT_TRUE(SharedStore::Init(top() / "shared").ok());
}

TEST(StoreRecord, SurvivesARoundTripAndRefusesOtherNames) {
  const std::string hash(64, 'a');
  const std::vector<StoredFile> files = {{.name = "pack-1.pack", .sha256 = hash, .bytes = 7}};
  const std::string text = FormatStoreRecord(files);
  EXPECT_EQ(*ParseStoreRecord(text), files);
  for (const char* name : {"../x", "a/b", ".hidden", "", "-x", "a b"}) {
    EXPECT_FALSE(IsStoredName(name)) << name;
    EXPECT_FALSE(
        ParseStoreRecord(FormatStoreRecord({{.name = name, .sha256 = hash, .bytes = 1}})).ok());
  }
  std::string changed = text;
  changed.replace(changed.find("\"bytes\":7"), 9, "\"bytes\":8");
  EXPECT_FALSE(ParseStoreRecord(changed).ok());
  EXPECT_FALSE(ParseStoreRecord("").ok());
}

}  // namespace
}  // namespace sibyl::evidence
