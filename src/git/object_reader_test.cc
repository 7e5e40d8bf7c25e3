// SPDX-License-Identifier: Apache-2.0
#include "git/object_reader.h"

#include <gtest/gtest.h>

#include <random>

#include "base/files/temporary_folder.h"
#include "git/delta.h"
#include "git/pack_writer.h"
#include "git/test_git.h"

namespace sibyl::git {
namespace {

std::string Noise(std::size_t lines, unsigned seed) {
  std::mt19937 random(seed);
  std::string text;
  for (std::size_t i = 0; i < lines; ++i) {
    text += "line " + std::to_string(i) + " " + std::to_string(random()) + "\n";
  }
  return text;
}

ObjectDatabase OpenObjects(const TestGit& git) {
  Result<ObjectDatabase> database = ObjectDatabase::Open(git.folder() / ".git" / "objects");
  EXPECT_TRUE(database.ok());
  return std::move(database).value();
}

// Every object that git knows, with its bytes compared by their hash.
void ExpectAllObjectsReadable(const TestGit& git) {
  const ObjectDatabase database = OpenObjects(git);
  ObjectReader reader(database, {.cache_bytes = 4096});
  const std::string list =
      git.Run({"cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)"});
  std::size_t count = 0;
  for (const std::string_view line : SplitLines(list)) {
    const ObjectView view = reader.ReadVerified(*ObjectId::FromHex(line.substr(0, 40)));
    ASSERT_TRUE(view.ok()) << line << ": " << view.problem;
    EXPECT_EQ(ObjectTypeName(view.type), line.substr(41));
    ++count;
  }
  EXPECT_GT(count, 10u);
}

class ManyVersions : public testing::Test {
 protected:
  ManyVersions() : git_(folder_.path() / "r") {
    std::string text = Noise(400, 1);
    for (int i = 0; i < 12; ++i) {
      text.insert(text.size() / 2, "version " + std::to_string(i) + "\n");
      git_.Write("deep/er/file.txt", text);
      git_.Write("copy" + std::to_string(i % 3) + ".txt", text + "tail\n");
      git_.Write("empty", "");
      git_.Commit();
    }
    git_.Run({"tag", "-a", "v1", "-m", "first"});
  }

  TemporaryFolder folder_;
  TestGit git_;
};

TEST_F(ManyVersions, AreReadLoose) { ExpectAllObjectsReadable(git_); }

TEST_F(ManyVersions, AreReadFromOffsetDeltas) {
  git_.Run({"repack", "-adfq", "--depth=50", "--window=50"});
  ExpectAllObjectsReadable(git_);
}

TEST_F(ManyVersions, AreReadFromIdDeltas) {
  git_.Run({"-c", "repack.useDeltaBaseOffset=false", "repack", "-adfq", "--depth=50"});
  ExpectAllObjectsReadable(git_);
}

TEST_F(ManyVersions, AreReadFromSeveralPacksAndLooseAtOnce) {
  git_.Run({"repack", "-dq"});
  git_.Write("more.txt", Noise(100, 2));
  git_.Commit();
  git_.Run({"repack", "-dq"});
  git_.Write("loose.txt", Noise(100, 3));
  git_.Commit();
  ExpectAllObjectsReadable(git_);
}

TEST_F(ManyVersions, AreReadThroughAlternates) {
  git_.Run({"repack", "-adq"});
  git_.Run({"clone", "-q", "--shared", "--bare", ".", "../borrower"});
  const Result<ObjectDatabase> database =
      ObjectDatabase::Open(folder_.path() / "borrower" / "objects");
  ASSERT_TRUE(database.ok());
  ObjectReader reader(*database);
  EXPECT_TRUE(reader.ReadVerified(*ObjectId::FromHex(git_.Run({"rev-parse", "HEAD:empty"}))).ok());
}

TEST_F(ManyVersions, LongerThanAskedForIsSaidWithoutReading) {
  for (const bool packed : {false, true}) {
    if (packed) git_.Run({"repack", "-adfq", "--depth=50"});
    const ObjectDatabase database = OpenObjects(git_);
    ObjectReader reader(database);
    const auto id = *ObjectId::FromHex(git_.Run({"rev-parse", "HEAD~5:deep/er/file.txt"}));
    const ObjectView view = reader.Read(id, 100);
    EXPECT_EQ(view.state, ReadState::kTooLarge);
    EXPECT_TRUE(view.bytes.empty());
    EXPECT_TRUE(reader.Read(id).ok());
  }
}

TEST(ObjectReader, LeavesTheRestOfWhatIsNoTextUnread) {
  TemporaryFolder folder;
  const TestGit git(folder.path() / "r");
  std::mt19937 random(4);
  std::string stored;  // which deflate cannot make shorter
  for (int i = 0; i < 40'000; ++i) stored.push_back(static_cast<char>(random()));
  stored[9] = '\0';
  const std::string text = Noise(4000, 5);
  std::string nul_at_end = Noise(4000, 6);
  nul_at_end.back() = '\0';
  git.Write("stored.bin", stored);
  git.Write("short.bin", std::string(100, '\0'));
  git.Write("packed.bin", "head" + std::string(1, '\0') + Noise(3000, 7));
  git.Write("text.txt", text);
  git.Write("nul_at_end.bin", nul_at_end);
  git.Commit();
  git.Run({"repack", "-adfq"});
  const ObjectDatabase database = OpenObjects(git);
  ObjectReader reader(database);
  const auto read = [&](const std::string& path, std::uint64_t max_bytes) {
    return reader.ReadText(*ObjectId::FromHex(git.Run({"rev-parse", "HEAD:" + path})), max_bytes);
  };
  constexpr std::uint64_t kMost = 1 << 20;
  EXPECT_EQ(read("stored.bin", kMost).state, ReadState::kBinary);
  EXPECT_EQ(read("stored.bin", kMost).size, stored.size());
  EXPECT_EQ(read("packed.bin", kMost).state, ReadState::kBinary);
  EXPECT_EQ(read("packed.bin", 100).state, ReadState::kTooLarge);
  EXPECT_EQ(read("text.txt", kMost).bytes, text);
  // Not worth a look of its own, or not seen: read as it is.
  EXPECT_EQ(read("short.bin", kMost).bytes, std::string(100, '\0'));
  EXPECT_EQ(read("nul_at_end.bin", kMost).bytes, nul_at_end);
}

TEST_F(ManyVersions, EveryFlippedByteOfThePackIsSurvived) {
  git_.Run({"repack", "-adfq", "--depth=50"});
  std::string pack;
  std::string index;
  for (const auto& file :
       std::filesystem::directory_iterator(git_.folder() / ".git" / "objects" / "pack")) {
    if (file.path().extension() == ".pack") pack = *ReadFile(file.path());
    if (file.path().extension() == ".idx") index = *ReadFile(file.path());
  }
  ASSERT_FALSE(pack.empty());
  std::size_t wrong = 0;
  for (std::size_t at = 0; at < pack.size(); at += 7) {
    pack[at] = static_cast<char>(pack[at] ^ 0x55);
    if (const auto database = ObjectDatabase::FromMemory(index, pack); database.ok()) {
      ObjectReader reader(*database);
      for (std::size_t i = 0; i < database->index(0).count(); ++i) {
        wrong += reader.ReadVerified(database->index(0).id(i)).ok() ? 0 : 1;
      }
    }
    pack[at] = static_cast<char>(pack[at] ^ 0x55);
  }
  EXPECT_GT(wrong, 0u);
}

TEST(ObjectDatabase, TellsOfPacksItCannotRead) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "pack");
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "pack" / "pack-a.idx", "garbage").ok());
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "pack" / "pack-a.pack", "garbage").ok());
  const Result<ObjectDatabase> database = ObjectDatabase::Open(folder.path());
  ASSERT_TRUE(database.ok());
  ASSERT_EQ(database->findings().size(), 1u);
  EXPECT_EQ(database->findings()[0].code, "source/pack-unreadable");
  ObjectReader reader(*database);
  EXPECT_EQ(reader.Read(ObjectId{}).state, ReadState::kMissing);
}

TEST(ObjectDatabase, IsNotCaughtInACircleOfAlternates) {
  const TemporaryFolder folder;
  for (const char* name : {"a", "b"}) {
    std::filesystem::create_directories(folder.path() / name / "info");
  }
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "a/info/alternates", "../b\n").ok());
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "b/info/alternates", "../a\n../gone\n").ok());
  const Result<ObjectDatabase> database = ObjectDatabase::Open(folder.path() / "a");
  ASSERT_TRUE(database.ok());
  EXPECT_EQ(database->loose_folders().size(), 2u);
  EXPECT_EQ(database->findings().size(), 1u);
}

TEST(PackWriter, WritesWhatGitCanCheckAndWeCanRead) {
  const TemporaryFolder folder;
  const TestGit git(folder.path() / "r");
  Result<PackWriter> writer = PackWriter::Create(git.folder() / ".git" / "objects");
  ASSERT_TRUE(writer.ok());
  Deflater deflater;
  const std::string long_text = Noise(5000, 9);
  for (const std::string_view text : {std::string_view(), std::string_view("hello\n"),
                                      std::string_view("hello\n"), std::string_view(long_text)}) {
    ASSERT_TRUE(writer->Add(PackObject(ObjectType::kBlob, text, deflater)).ok());
  }
  EXPECT_EQ(writer->count(), 3u);
  ASSERT_TRUE(writer->Finish().ok());
  git.Run({"fsck", "--full"});
  EXPECT_EQ(git.Run({"cat-file", "blob", "ce013625030ba8dba906f756967f9e9ca394464a"}), "hello");
  const ObjectDatabase database = OpenObjects(git);
  ObjectReader reader(database);
  EXPECT_EQ(reader.ReadVerified(HashObject(ObjectType::kBlob, long_text)).bytes, long_text);
}

TEST(PackWriter, LeavesNothingBehindWhenItIsNotFinished) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "pack");
  {
    Result<PackWriter> writer = PackWriter::Create(folder.path());
    ASSERT_TRUE(writer.ok());
    Deflater deflater;
    ASSERT_TRUE(writer->Add(PackObject(ObjectType::kBlob, "x", deflater)).ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "pack"));
}

TEST(Delta, StaysInsideBaseAndRoom) {
  const std::string base = "0123456789";
  char out[16];
  EXPECT_TRUE(ApplyDelta(std::string_view("\x91\x02\x03", 3), base, out, 3));
  EXPECT_EQ(std::string_view(out, 3), "234");
  EXPECT_FALSE(ApplyDelta(std::string_view("\x91\x08\x03", 3), base, out, 3));
  EXPECT_FALSE(ApplyDelta(std::string_view("\x91\x02\x03", 3), base, out, 2));
  EXPECT_FALSE(ApplyDelta(std::string_view("\x91\x02\x03", 3), base, out, 4));
  EXPECT_FALSE(ApplyDelta(std::string_view("\x91\x02", 2), base, out, 3));
  EXPECT_FALSE(ApplyDelta(std::string_view("\x03hi", 3), base, out, 3));
  EXPECT_FALSE(ApplyDelta(std::string_view("\0", 1), base, out, 0));
  EXPECT_TRUE(ApplyDelta("", base, out, 0));
}

// A delta whose base is itself, by id.
TEST(ObjectReader, EndsAtACircleOfDeltas) {
  const TemporaryFolder folder;
  const ObjectId self = HashObject(ObjectType::kBlob, "self");
  Deflater deflater;
  const std::string_view stream = deflater.Compress(std::string_view("\x01\x01\x01x", 4));
  PackedObject object{.id = self};
  object.bytes = "\x74";  // id delta, 4 bytes
  object.bytes.append(reinterpret_cast<const char*>(self.bytes.data()), ObjectId::kBytes);
  object.bytes += stream;
  std::filesystem::create_directories(folder.path() / "pack");
  Result<PackWriter> writer = PackWriter::Create(folder.path());
  ASSERT_TRUE(writer.ok() && writer->Add(object).ok() && writer->Finish().ok());
  const Result<ObjectDatabase> database = ObjectDatabase::Open(folder.path());
  ASSERT_TRUE(database.ok());
  ObjectReader reader(*database);
  const ObjectView view = reader.Read(self);
  EXPECT_EQ(view.state, ReadState::kCorrupt);
  EXPECT_NE(view.problem.find("circular"), std::string_view::npos);
}

// A few bytes of delta copy the whole base, again and again: every link doubles.
class DeltaBomb : public testing::Test {
 protected:
  static constexpr std::size_t kLinks = 14;

  DeltaBomb() {
    std::filesystem::create_directories(folder_.path() / "pack");
    Result<PackWriter> writer = PackWriter::Create(folder_.path());
    EXPECT_TRUE(writer.ok());
    Deflater deflater;
    std::size_t size = 16;
    PackedObject object{.id = HashObject(ObjectType::kBlob, "0")};
    object.bytes = "\xb0\x01" + std::string(deflater.Compress(std::string(size, 'x')));
    EXPECT_TRUE(writer->Add(object).ok());
    for (std::size_t link = 1; link <= kLinks; ++link, size *= 2) {
      std::string delta = Length(size) + Length(2 * size);
      for (int half = 0; half < 2; ++half) delta += Copy(size);
      PackedObject next{.id = HashObject(ObjectType::kBlob, std::to_string(link))};
      next.bytes = std::string(1, static_cast<char>(0x70 | delta.size()));  // id delta
      next.bytes.append(reinterpret_cast<const char*>(object.id.bytes.data()), ObjectId::kBytes);
      next.bytes += deflater.Compress(delta);
      EXPECT_TRUE(delta.size() < 16 && writer->Add(next).ok());
      object = next;
    }
    last_ = object.id;
    EXPECT_TRUE(writer->Finish().ok());
  }

  static std::string Length(std::size_t size) {
    std::string text;
    for (; size >= 0x80; size >>= 7) text += static_cast<char>(0x80 | (size & 0x7f));
    return text + static_cast<char>(size);
  }
  static std::string Copy(std::size_t size) {
    return {static_cast<char>(0xf0), static_cast<char>(size & 0xff),
            static_cast<char>(size >> 8 & 0xff), static_cast<char>(size >> 16)};
  }

  TemporaryFolder folder_;
  ObjectId last_;
};

TEST_F(DeltaBomb, IsReadWithinTheTotals) {
  const Result<ObjectDatabase> database = ObjectDatabase::Open(folder_.path());
  ASSERT_TRUE(database.ok());
  EXPECT_EQ(ObjectReader(*database).Read(last_).size, std::size_t{16} << kLinks);
}

TEST_F(DeltaBomb, IsRefusedBeyondWhatOneObjectMayMake) {
  const Result<ObjectDatabase> database = ObjectDatabase::Open(folder_.path());
  ASSERT_TRUE(database.ok());
  ObjectReader reader(*database, {.max_chain_bytes = 100'000});
  const ObjectView view = reader.Read(last_);
  EXPECT_EQ(view.state, ReadState::kCorrupt);
  EXPECT_NE(view.problem.find("exceed the size limit"), std::string_view::npos) << view.problem;
}

TEST_F(DeltaBomb, IsRefusedBeyondWhatAllObjectsMayMake) {
  const Result<ObjectDatabase> database = ObjectDatabase::Open(folder_.path());
  ASSERT_TRUE(database.ok());
  ObjectReader reader(*database, {.cache_bytes = 0, .max_total_bytes = 700'000});
  EXPECT_EQ(reader.Read(last_).state, ReadState::kRead);
  EXPECT_EQ(reader.Read(last_).state, ReadState::kCorrupt);
}

// A header that claims four gigabytes with a few bytes behind it.
TEST(ObjectReader, DoesNotReserveWhatCannotBeThere) {
  const TemporaryFolder folder;
  PackedObject object{.id = HashObject(ObjectType::kBlob, "bomb")};
  object.bytes = std::string("\xb0\x80\x80\x80\x80\x01", 6) + "tiny";
  std::filesystem::create_directories(folder.path() / "pack");
  Result<PackWriter> writer = PackWriter::Create(folder.path());
  ASSERT_TRUE(writer.ok() && writer->Add(object).ok() && writer->Finish().ok());
  const Result<ObjectDatabase> database = ObjectDatabase::Open(folder.path());
  ASSERT_TRUE(database.ok());
  ObjectReader reader(*database);
  EXPECT_EQ(reader.Read(object.id, std::uint64_t{1} << 40).state, ReadState::kCorrupt);
}

}  // namespace
}  // namespace sibyl::git
