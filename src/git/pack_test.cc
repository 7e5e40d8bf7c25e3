// SPDX-License-Identifier: Apache-2.0
#include "git/pack.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <string>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "git/object_reader.h"
#include "git/pack_writer.h"
#include "git/test_git.h"
#include "git/tree.h"
#include "git/tree_writer.h"

namespace sibyl::git {
namespace {

namespace fs = std::filesystem;

// A pack of our own with three blobs.
class PackTest : public testing::Test {
 protected:
  PackTest() {
    fs::create_directories(folder_.path() / "pack");
    Result<PackWriter> writer = PackWriter::Create(folder_.path());
    EXPECT_TRUE(writer.ok());
    Deflater deflater;
    for (const char* text : {"one", "two", "three"}) {
      EXPECT_TRUE(writer->Add(PackObject(ObjectType::kBlob, text, deflater)).ok());
    }
    EXPECT_TRUE(writer->Finish().ok());
    for (const auto& entry : fs::directory_iterator(folder_.path() / "pack")) {
      (entry.path().extension() == ".idx" ? index_ : pack_) = ReadFile(entry.path()).value();
    }
  }

  static std::string With(std::string bytes, std::size_t at, std::string_view replaced) {
    return bytes.replace(at, replaced.size(), replaced);
  }

  TemporaryFolder folder_;
  std::string index_;
  std::string pack_;
};

TEST_F(PackTest, TheIndexFindsEveryObject) {
  const Result<PackIndex> index = PackIndex::Parse(index_);
  ASSERT_TRUE(index.ok()) << index.error().message;
  ASSERT_EQ(index->count(), 3U);
  for (const char* text : {"one", "two", "three"}) {
    const auto position = index->Find(HashObject(ObjectType::kBlob, text));
    ASSERT_TRUE(position.has_value()) << text;
    EXPECT_TRUE(index->offset(*position).has_value());
  }
  EXPECT_FALSE(index->Find(HashObject(ObjectType::kBlob, "four")).has_value());
  EXPECT_LT(index->id(0), index->id(1));
  EXPECT_LT(index->id(1), index->id(2));
}

TEST_F(PackTest, BoundsAreThoseOfTheSortedIds) {
  const PackIndex index = PackIndex::Parse(index_).value();
  EXPECT_EQ(index.LowerBound(ObjectId()), 0U);
  EXPECT_EQ(index.LowerBound(index.id(1)), 1U);
  ObjectId last;
  last.bytes.fill(0xff);
  EXPECT_EQ(index.LowerBound(last), 3U);
}

TEST_F(PackTest, AnIndexOfAnotherFormIsRefused) {
  EXPECT_FALSE(PackIndex::Parse("").ok());
  EXPECT_FALSE(PackIndex::Parse(index_.substr(0, 1000)).ok()) << "cut in the table";
  EXPECT_FALSE(PackIndex::Parse(index_.substr(0, index_.size() - 1)).ok());
  EXPECT_FALSE(PackIndex::Parse(index_ + "x").ok());
  EXPECT_FALSE(PackIndex::Parse(With(index_, 7, "\3")).ok()) << "version 3";
  EXPECT_FALSE(PackIndex::Parse(With(index_, 8, "\xff\xff\xff\xff")).ok()) << "not in order";
  EXPECT_FALSE(PackIndex::Parse(With(index_, 8 + 255 * 4, "\x01\xff\xff\xff")).ok())
      << "more objects than it has room for";
}

TEST_F(PackTest, AWideOffsetThatIsNotThereIsNone) {
  const std::size_t offsets = 8 + 256 * 4 + 3 * 24;
  const std::string wide = With(index_, offsets, "\x80");
  const PackIndex index = PackIndex::Parse(wide).value();
  EXPECT_FALSE(index.offset(0).has_value());
  EXPECT_TRUE(index.offset(1).has_value());
}

TEST_F(PackTest, AWideOffsetIsReadFromItsTable) {
  const std::size_t offsets = 8 + 256 * 4 + 3 * 24;
  std::string wide = With(index_, offsets, std::string_view("\x80\0\0\0", 4));
  wide.insert(offsets + 12, std::string_view("\0\0\0\2\0\0\0\5", 8));
  const Result<PackIndex> index = PackIndex::Parse(wide);
  ASSERT_TRUE(index.ok()) << index.error().message;
  EXPECT_EQ(index->offset(0), (std::uint64_t{2} << 32) + 5);
}

TEST_F(PackTest, AnEntryIsReadWhereTheIndexSays) {
  const PackIndex index = PackIndex::Parse(index_).value();
  const PackData data = PackData::Parse(pack_).value();
  for (std::size_t i = 0; i < index.count(); ++i) {
    const auto entry = data.Entry(*index.offset(i));
    ASSERT_TRUE(entry.has_value());
    EXPECT_EQ(entry->type, ObjectType::kBlob);
    EXPECT_EQ(entry->storage, PackEntry::Storage::kWhole);
    EXPECT_LE(entry->size, 5U);
  }
}

TEST_F(PackTest, NoEntryStartsInTheHeaderOrPastTheEnd) {
  const PackData data = PackData::Parse(pack_).value();
  for (const std::uint64_t offset :
       {std::uint64_t{0}, std::uint64_t{11}, std::uint64_t{pack_.size() - 20},
        std::uint64_t{pack_.size()}, ~std::uint64_t{0}}) {
    EXPECT_FALSE(data.Entry(offset).has_value()) << offset;
  }
}

TEST_F(PackTest, APackOfAnotherFormIsRefused) {
  EXPECT_FALSE(PackData::Parse("").ok());
  EXPECT_FALSE(PackData::Parse("PACK").ok());
  EXPECT_FALSE(PackData::Parse(With(pack_, 0, "JACK")).ok());
  EXPECT_FALSE(PackData::Parse(With(pack_, 7, "\4")).ok()) << "version 4";
}

std::string PackWith(std::string_view entry) {
  return std::string("PACK\0\0\0\2\0\0\0\1", 12) + std::string(entry) + std::string(20, 's');
}

TEST(PackEntries, OfUnknownTypesOrImpossibleSizesAreNone) {
  for (const std::string_view entry :
       {std::string_view("\x00", 1), std::string_view("\x50"), std::string_view("\xb0"),
        std::string_view("\xbf\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"),
        std::string_view("\xbf\xff\xff\xff\x7f")}) {
    const std::string pack = PackWith(entry);
    EXPECT_FALSE(PackData::Parse(pack)->Entry(12).has_value());
  }
}

TEST(PackEntries, ADeltaPointsBackAndNotAtItself) {
  for (const std::string_view distance :
       {std::string_view("\x00", 1), std::string_view("\x0c"), std::string_view("\x7f"),
        std::string_view("\x80"), std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f")}) {
    const std::string pack = PackWith("\x61" + std::string(distance));
    EXPECT_FALSE(PackData::Parse(pack)->Entry(12).has_value());
  }
  const std::string cut = PackWith("\x71" + std::string(19, 'i'));
  EXPECT_FALSE(PackData::Parse(cut)->Entry(12).has_value()) << "its base is cut off";
}

RC_GTEST_PROP(PackEntries, AnyBytesAreSurvived, (const std::string& bytes)) {
  const std::string pack = PackWith(bytes);
  const Result<PackData> data = PackData::Parse(pack);
  RC_ASSERT(data.ok());
  for (std::uint64_t offset = 0; offset < pack.size() + 2; ++offset) {
    const auto entry = data->Entry(offset);
    if (!entry || entry->storage != PackEntry::Storage::kOffsetDelta) continue;
    RC_ASSERT(entry->base_offset < offset);
  }
}

class TreesOfFiles : public testing::Test {
 protected:
  TreesOfFiles() : git_(folder_.path() / "r") {}

  // The id of the tree of these files, all with the same content.
  std::string Written(const std::vector<std::string>& paths, std::uint32_t mode = 0100644) {
    const fs::path objects = git_.folder() / ".git/objects";
    fs::create_directories(objects / "pack");
    Result<PackWriter> writer = PackWriter::Create(objects);
    EXPECT_TRUE(writer.ok());
    Deflater deflater;
    const PackedObject blob = PackObject(ObjectType::kBlob, "text\n", deflater);
    EXPECT_TRUE(writer->Add(blob).ok());
    std::vector<TreeFile> files;
    for (const std::string& path : paths) files.push_back({path, mode, blob.id});
    const Result<ObjectId> tree = WriteTrees(files, *writer);
    EXPECT_TRUE(tree.ok() && writer->Finish().ok());
    return tree.ok() ? tree->Hex() : "";
  }

  TemporaryFolder folder_;
  TestGit git_;
};

TEST_F(TreesOfFiles, AreThoseThatGitWrites) {
  // Git sorts the folder "a" as if it were "a/".
  const std::vector<std::string> paths = {"a.txt", "a/b/c.txt", "a/b.txt", "a-b", "a0", "z/y"};
  for (const std::string& path : paths) git_.Write(path, "text\n");
  git_.Commit();
  EXPECT_EQ(Written(paths), git_.Run({"rev-parse", "HEAD^{tree}"}));
}

TEST_F(TreesOfFiles, DoNotDependOnTheOrder) {
  EXPECT_EQ(Written({"b", "a/c", "a/b"}), Written({"a/b", "b", "a/c"}));
  EXPECT_EQ(Written({}), "4b825dc642cb6eb9a060e54bf8d69288fbee4904") << "the empty tree";
}

TEST_F(TreesOfFiles, KeepTheModeOfAFile) {
  EXPECT_NE(Written({"run.sh"}, 0100755), Written({"run.sh"}));
  const std::string tree = Written({"dir/run.sh"}, 0100755);
  EXPECT_TRUE(git_.Run({"ls-tree", "-r", tree}).starts_with("100755 blob "));
}

TEST_F(TreesOfFiles, MayBeVeryDeep) {
  std::string path;
  for (int i = 0; i < 2'000; ++i) path += "d/";
  EXPECT_EQ(Written({path + "file"}).size(), 40U);
}

TEST(PackWriters, AddEveryObjectOnce) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "pack");
  Result<PackWriter> writer = PackWriter::Create(folder.path());
  ASSERT_TRUE(writer.ok());
  Deflater deflater;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(writer->Add(PackObject(ObjectType::kBlob, "same", deflater)).ok());
  }
  EXPECT_EQ(writer->count(), 1U);
}

TEST(PackWriters, AnEmptyPackIsDropped) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "pack");
  {
    Result<PackWriter> writer = PackWriter::Create(folder.path());
    ASSERT_TRUE(writer.ok());
    EXPECT_TRUE(writer->Finish().ok());
  }
  EXPECT_TRUE(fs::is_empty(folder.path() / "pack"));
}

TEST(PackWriters, NeedAFolderOfPacks) {
  const TemporaryFolder folder;
  EXPECT_FALSE(PackWriter::Create(folder.path() / "none").ok());
}

}  // namespace
}  // namespace sibyl::git
