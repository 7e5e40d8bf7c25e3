// SPDX-License-Identifier: Apache-2.0
#include "git/object_database.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/temporary_folder.h"
#include "git/object_reader.h"
#include "git/pack_writer.h"
#include "git/self_contained.h"
#include "git/test_git.h"

namespace sibyl::git {
namespace {

namespace fs = std::filesystem;

// Folders of objects, each with packs that we write.
class ObjectsTest : public testing::Test {
 protected:
  fs::path Folder(const std::string& name) const {
    fs::create_directories(folder_.path() / name / "pack");
    fs::create_directories(folder_.path() / name / "info");
    return folder_.path() / name;
  }

  ObjectId AddPack(const fs::path& objects, std::string_view text) const {
    Result<PackWriter> writer = PackWriter::Create(objects);
    EXPECT_TRUE(writer.ok());
    Deflater deflater;
    const PackedObject object = PackObject(ObjectType::kBlob, text, deflater);
    EXPECT_TRUE(writer->Add(object).ok() && writer->Finish().ok());
    return object.id;
  }

  static void Borrow(const fs::path& objects, const std::string& lines) {
    ASSERT_TRUE(WriteFileAtomically(objects / "info/alternates", lines).ok());
  }

  static ObjectDatabase Open(const fs::path& objects) {
    Result<ObjectDatabase> database = ObjectDatabase::Open(objects);
    EXPECT_TRUE(database.ok()) << database.error().message;
    return std::move(database).value();
  }

  static std::string Text(const ObjectDatabase& database, const ObjectId& id) {
    ObjectReader reader(database);
    const ObjectView view = reader.Read(id);
    return view.ok() ? std::string(view.bytes) : "not read";
  }

  TemporaryFolder folder_;
};

TEST_F(ObjectsTest, AreFoundInEveryPack) {
  const fs::path objects = Folder("a");
  const ObjectId one = AddPack(objects, "one");
  const ObjectId two = AddPack(objects, "two");
  const ObjectDatabase database = Open(objects);
  EXPECT_EQ(database.pack_count(), 2U);
  EXPECT_EQ(Text(database, one), "one");
  EXPECT_EQ(Text(database, two), "two");
  EXPECT_FALSE(database.Find(HashObject(ObjectType::kBlob, "three")).has_value());
}

TEST_F(ObjectsTest, AreLookedForInOnePackAlone) {
  const fs::path objects = Folder("a");
  const ObjectId one = AddPack(objects, "one");
  AddPack(objects, "two");
  const ObjectDatabase database = Open(objects);
  const ObjectPlace place = database.Find(one).value();
  EXPECT_TRUE(database.FindIn(place.pack, one).has_value());
  EXPECT_FALSE(database.FindIn(1 - place.pack, one).has_value());
}

TEST_F(ObjectsTest, AreBorrowedFromAlternates) {
  const ObjectId one = AddPack(Folder("b"), "one");
  const fs::path objects = Folder("a");
  Borrow(objects, "# a comment\n\n../b\n");
  const ObjectDatabase database = Open(objects);
  EXPECT_EQ(Text(database, one), "one");
  EXPECT_EQ(database.loose_folders().size(), 2U);
  EXPECT_TRUE(database.findings().empty());
}

TEST_F(ObjectsTest, AnAlternateThatIsGoneIsAFinding) {
  const fs::path objects = Folder("a");
  const ObjectId one = AddPack(objects, "one");
  Borrow(objects, "../gone\n");
  const ObjectDatabase database = Open(objects);
  ASSERT_EQ(database.findings().size(), 1U);
  EXPECT_EQ(database.findings()[0].code, "source/pack-unreadable");
  EXPECT_NE(database.findings()[0].message.find("does not exist"), std::string::npos);
  EXPECT_EQ(Text(database, one), "one") << "the rest is read";
}

TEST_F(ObjectsTest, AlternatesThatAreNestedTooDeepAreAFinding) {
  for (int i = 0; i < 10; ++i) {
    Borrow(Folder(std::to_string(i)), "../" + std::to_string(i + 1) + "\n");
  }
  const ObjectDatabase database = Open(folder_.path() / "0");
  ASSERT_EQ(database.findings().size(), 1U);
  EXPECT_EQ(database.findings()[0].message, "alternates are nested too deep");
}

TEST_F(ObjectsTest, WithinAFolderNoAlternateLeadsOut) {
  const ObjectId one = AddPack(Folder("outside"), "one");
  const fs::path objects = Folder("oracle/objects");
  Borrow(objects, "../../outside\n");
  const Result<ObjectDatabase> database = ObjectDatabase::Open(objects, folder_.path() / "oracle");
  ASSERT_TRUE(database.ok()) << database.error().message;
  EXPECT_FALSE(database->Contains(one));
  EXPECT_EQ(database->findings().size(), 1U);
}

TEST_F(ObjectsTest, APackWithoutItsDataIsAFinding) {
  const fs::path objects = Folder("a");
  AddPack(objects, "one");
  for (const auto& entry : fs::directory_iterator(objects / "pack")) {
    if (entry.path().extension() == ".pack") fs::remove(entry.path());
  }
  const ObjectDatabase database = Open(objects);
  EXPECT_EQ(database.pack_count(), 0U);
  EXPECT_EQ(database.findings().size(), 1U);
}

TEST_F(ObjectsTest, AMissingFolderIsAnError) {
  EXPECT_FALSE(ObjectDatabase::Open(folder_.path() / "none").ok());
}

TEST_F(ObjectsTest, SeveralThatBeginAlikeAreRefused) {
  const fs::path objects = Folder("a");
  std::map<std::string, std::string> seen;
  std::string shared;
  for (int i = 0; shared.empty() && i < 100'000; ++i) {
    const std::string text = std::to_string(i);
    const std::string begin = HashObject(ObjectType::kBlob, text).Hex().substr(0, 4);
    const auto [known, is_new] = seen.emplace(begin, text);
    if (is_new) continue;
    AddPack(objects, text);
    AddPack(objects, known->second);
    shared = begin;
  }
  const Result<ObjectId> several = Open(objects).FindByPrefix(shared);
  ASSERT_FALSE(several.ok());
  EXPECT_EQ(several.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(several.error().hint, "give more digits");
}

TEST_F(ObjectsTest, AReaderSaysWhatIsMissingTooLargeOrForged) {
  const fs::path objects = Folder("a");
  const ObjectId id = AddPack(objects, "0123456789");
  const ObjectDatabase database = Open(objects);
  ObjectReader reader(database);
  EXPECT_EQ(reader.Read(HashObject(ObjectType::kBlob, "none")).state, ReadState::kMissing);
  EXPECT_EQ(reader.Read(id, 9).state, ReadState::kTooLarge);
  EXPECT_EQ(reader.Read(id, 9).size, 10U);
  EXPECT_TRUE(reader.Read(id, 10).ok());
  EXPECT_TRUE(reader.ReadVerified(id).ok());
}

TEST_F(ObjectsTest, AForgedObjectIsSeenByItsHash) {
  const fs::path objects = Folder("a");
  const ObjectId claimed = HashObject(ObjectType::kBlob, "true");
  Result<PackWriter> writer = PackWriter::Create(objects);
  ASSERT_TRUE(writer.ok());
  Deflater deflater;
  ASSERT_TRUE(
      writer->Add(PackCompressed(claimed, ObjectType::kBlob, 6, deflater.Compress("forged"))).ok());
  ASSERT_TRUE(writer->Finish().ok());
  const ObjectDatabase database = Open(objects);
  ObjectReader reader(database);
  EXPECT_TRUE(reader.Read(claimed).ok()) << "its own checksum is right";
  EXPECT_EQ(reader.ReadVerified(claimed).state, ReadState::kCorrupt);
}

TEST_F(ObjectsTest, BinaryIsLeftToThoseWhoWantIt) {
  const fs::path objects = Folder("a");
  const ObjectId id = AddPack(objects, std::string(100'000, '\0'));
  const ObjectDatabase database = Open(objects);
  ObjectReader reader(database);
  EXPECT_EQ(reader.ReadText(id, 100'000).state, ReadState::kBinary);
  EXPECT_TRUE(reader.Read(id, 100'000).ok());
}

TEST_F(ObjectsTest, SelfContainedOnesBorrowNothingAndHaveNoLinks) {
  const fs::path objects = Folder("r/objects");
  AddPack(objects, "one");
  EXPECT_TRUE(CheckSelfContained(objects, folder_.path() / "r").ok());
  Borrow(objects, "../gone\n");
  EXPECT_TRUE(CheckSelfContained(objects, folder_.path() / "r").ok()) << "nothing is there";
  Folder("r/other");
  Borrow(objects, "../other\n");
  EXPECT_TRUE(CheckSelfContained(objects, folder_.path() / "r").ok()) << "inside";
  Folder("outside");
  Borrow(objects, "../../outside\n");
  EXPECT_EQ(CheckSelfContained(objects, folder_.path() / "r").error().kind, ErrorKind::kUsage);
  Borrow(objects, "");
  fs::create_symlink("/etc/hostname", objects / "pack/link");
  EXPECT_EQ(CheckSelfContained(objects, folder_.path() / "r").error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace sibyl::git
