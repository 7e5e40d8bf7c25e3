// SPDX-License-Identifier: Apache-2.0
// The small readers: ids, trees, commits, deltas, zlib streams.
#include "git/object.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "git/delta.h"
#include "git/delta_cache.h"
#include "git/inflate.h"
#include "git/tree.h"

namespace sibyl::git {
namespace {

const std::string kId = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

TEST(ObjectIds, AreFortyLowerCaseDigits) {
  ASSERT_TRUE(ObjectId::FromHex(kId).has_value());
  EXPECT_EQ(ObjectId::FromHex(kId)->Hex(), kId);
  for (const std::string& digits : {std::string(), kId.substr(1), kId + "0", std::string(40, 'A'),
                                    std::string(40, 'g'), " " + kId.substr(1)}) {
    EXPECT_FALSE(ObjectId::FromHex(digits).has_value()) << digits;
  }
}

TEST(ObjectIds, AreOrderedByTheirBytes) {
  const auto low = *ObjectId::FromHex("00" + std::string(38, 'f'));
  const auto high = *ObjectId::FromHex("80" + std::string(38, '0'));
  EXPECT_LT(low, high);
  EXPECT_EQ(ObjectId::FromRaw(reinterpret_cast<const char*>(low.bytes.data())), low);
}

TEST(Objects, HaveTheIdsThatGitGives) {
  EXPECT_EQ(HashObject(ObjectType::kTree, "").Hex(), kId);
  EXPECT_EQ(HashObject(ObjectType::kBlob, "").Hex(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  EXPECT_EQ(HashObject(ObjectType::kBlob, "hello\n").Hex(),
            "ce013625030ba8dba906f756967f9e9ca394464a");
}

TEST(Objects, TypesHaveTheNamesOfTheHeader) {
  EXPECT_EQ(ObjectTypeName(ObjectType::kCommit), "commit");
  EXPECT_EQ(ObjectTypeName(ObjectType::kTree), "tree");
  EXPECT_EQ(ObjectTypeName(ObjectType::kBlob), "blob");
  EXPECT_EQ(ObjectTypeName(ObjectType::kTag), "tag");
}

TEST(Buffers, GrowAndAreUsedAgain) {
  ByteBuffer buffer;
  EXPECT_EQ(buffer.view(), "");
  char* first = buffer.Prepare(4);
  std::memcpy(first, "abcd", 4);
  EXPECT_EQ(buffer.view(), "abcd");
  EXPECT_EQ(buffer.Prepare(2), first) << "no new memory";
  EXPECT_EQ(buffer.view().size(), 2U);
  buffer.Prepare(100);
  EXPECT_EQ(buffer.capacity(), 100U);
}

std::string Entry(std::string_view mode, std::string_view name) {
  std::string entry = std::string(mode) + " " + std::string(name);
  entry += '\0';
  return entry + std::string(20, 'i');
}

TEST(Trees, AreReadEntryByEntry) {
  const std::string tree = Entry("100644", "a b") + Entry("40000", "dir") +
                           Entry("120000", "link") + Entry("160000", "module");
  std::string_view rest = tree;
  const auto file = NextTreeEntry(rest);
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->name, "a b");
  EXPECT_EQ(file->mode, 0100644U);
  EXPECT_TRUE(file->IsFile());
  EXPECT_EQ(file->id.Hex(), "6969696969696969696969696969696969696969");
  EXPECT_TRUE(NextTreeEntry(rest)->IsFolder());
  const auto link = NextTreeEntry(rest);
  EXPECT_FALSE(link->IsFile() || link->IsFolder());
  EXPECT_EQ(NextTreeEntry(rest)->mode & kModeMask, kModeSubmodule);
  EXPECT_FALSE(NextTreeEntry(rest).has_value());
  EXPECT_TRUE(rest.empty());
}

TEST(Trees, ThatAreCutOrInvalidLeaveARest) {
  const std::string entry = Entry("100644", "name");
  for (std::size_t size = 1; size < entry.size(); ++size) {
    std::string_view rest = std::string_view(entry).substr(0, size);
    EXPECT_FALSE(NextTreeEntry(rest).has_value()) << size;
    EXPECT_FALSE(rest.empty()) << size;
  }
  for (const char* mode : {"", "8", "10064x", "-1", "1006440"}) {
    const std::string bad = Entry(mode, "name");
    std::string_view rest = bad;
    EXPECT_FALSE(NextTreeEntry(rest).has_value()) << mode;
  }
}

TEST(Trees, PlainNamesAreThoseThatACheckoutCanHave) {
  for (const char* name : {"a", "...", ".gitignore", ".github", "a b", "git", ".gi"}) {
    EXPECT_TRUE(IsPlainName(name)) << name;
  }
  for (const std::string_view name :
       {std::string_view(""), std::string_view("."), std::string_view(".."),
        std::string_view(".git"), std::string_view(".GIT"), std::string_view(".gIt"),
        std::string_view("a/b"), std::string_view("a\0b", 3)}) {
    EXPECT_FALSE(IsPlainName(name)) << name;
  }
}

TEST(Commits, HaveATreeAndATime) {
  const auto commit = ParseCommit("tree " + kId + "\nparent " + kId +
                                  "\nauthor A <a@x> 1 +0000\ncommitter C <c@x> 1700000000 +0100\n\n"
                                  "message\n");
  ASSERT_TRUE(commit.has_value());
  EXPECT_EQ(commit->tree.Hex(), kId);
  EXPECT_EQ(commit->time, 1700000000);
}

TEST(Commits, AMessageIsNotPartOfTheHeader) {
  const auto commit =
      ParseCommit("tree " + kId + "\nauthor A <a@x> 1 +0000\n\n\ncommitter C <c@x> 9 +0000\n");
  ASSERT_TRUE(commit.has_value());
  EXPECT_EQ(commit->time, 0);
}

TEST(Commits, OddOnesHaveNoTimeOrAreNone) {
  EXPECT_EQ(ParseCommit("tree " + kId)->time, 0);
  EXPECT_EQ(ParseCommit("tree " + kId + "\ncommitter C <c@x>\n\n")->time, 0);
  EXPECT_EQ(ParseCommit("tree " + kId + "\ncommitter C <c@x> never\n\n")->time, 0);
  EXPECT_EQ(ParseCommit("tree " + kId + "\ncommitter C > D <c@x> -5 +0000\n\n")->time, -5);
  for (const std::string& bytes :
       {std::string(), std::string("tree "), "tree " + kId.substr(1), "parent " + kId}) {
    EXPECT_FALSE(ParseCommit(bytes).has_value()) << bytes;
  }
}

TEST(Tags, PointAtAnObject) {
  EXPECT_EQ(ParseTagTarget("object " + kId + "\ntype commit\n")->Hex(), kId);
  EXPECT_FALSE(ParseTagTarget("object 12\n").has_value());
  EXPECT_FALSE(ParseTagTarget("").has_value());
}

std::string Applied(std::string_view delta, std::string_view base) {
  const auto sizes = ReadDeltaSizes(delta);
  if (!sizes || sizes->base != base.size() || sizes->result > 1000) return "no sizes";
  std::string out(sizes->result, '?');
  return ApplyDelta(delta, base, out.data(), sizes->result) ? out : "refused";
}

TEST(Deltas, CopyAndInsert) {
  EXPECT_EQ(Applied("\x06\x07\x91\x02\x03\x04WXYZ", "abcdef"), "cdeWXYZ");
  EXPECT_EQ(Applied(std::string_view("\x06\x03\x90\x03", 4), "abcdef"), "abc")
      << "an offset of zero is left out";
}

TEST(Deltas, SizesMayTakeSeveralBytesAndMustFit) {
  std::string_view delta("\x80\x01\xff\x7f", 4);
  const auto sizes = ReadDeltaSizes(delta);
  ASSERT_TRUE(sizes.has_value());
  EXPECT_EQ(sizes->base, 128U);
  EXPECT_EQ(sizes->result, 16383U);
  EXPECT_TRUE(delta.empty());
  for (const std::string& bytes : {std::string(), std::string("\x05"), std::string("\x80"),
                                   std::string(10, '\xff') + "\x01"}) {
    std::string_view rest = bytes;
    EXPECT_FALSE(ReadDeltaSizes(rest).has_value());
  }
}

TEST(Deltas, InstructionsThatLeaveTheBaseOrTheRoomAreRefused) {
  EXPECT_EQ(Applied(std::string_view("\x06\x03\x91\x04\x03", 5), "abcdef"), "refused") << "base";
  EXPECT_EQ(Applied(std::string_view("\x06\x02\x90\x03", 4), "abcdef"), "refused") << "room";
  EXPECT_EQ(Applied(std::string_view("\x06\x04\x90\x03", 4), "abcdef"), "refused") << "too short";
  EXPECT_EQ(Applied(std::string_view("\x06\x01\x00", 3), "abcdef"), "refused") << "reserved";
  EXPECT_EQ(Applied("\x06\x03\x03"
                    "ab",
                    "abcdef"),
            "refused")
      << "cut in an insertion";
  EXPECT_EQ(Applied("\x06\x03\x91", "abcdef"), "refused") << "cut in a copy";
}

RC_GTEST_PROP(Deltas, AnyBytesAreSurvived,
              (const std::string& instructions, const std::string& base)) {
  std::string out(64, '?');
  ApplyDelta(instructions, base, out.data(), out.size());
}

TEST(Streams, ReadBackWhatWasCompressed) {
  Deflater deflater;
  Inflater inflater;
  for (const std::string& bytes : {std::string(), std::string("a"), std::string(100'000, 'x')}) {
    const std::string stream(deflater.Compress(bytes));
    std::string out(bytes.size(), '?');
    EXPECT_EQ(inflater.FillCounting(stream + "what follows", out.data(), out.size()),
              stream.size());
    EXPECT_EQ(out, bytes);
  }
}

TEST(Streams, OfAnotherLengthAreRefused) {
  Deflater deflater;
  Inflater inflater;
  const std::string stream(deflater.Compress("0123456789"));
  std::string out(20, '?');
  EXPECT_FALSE(inflater.Fill(stream, out.data(), 9));
  EXPECT_FALSE(inflater.Fill(stream, out.data(), 11));
  EXPECT_TRUE(inflater.Fill(stream, out.data(), 10));
}

TEST(Streams, ThatAreBrokenAreRefused) {
  Deflater deflater;
  Inflater inflater;
  const std::string stream(deflater.Compress(std::string(1000, 'x')));
  std::string out(1000, '?');
  for (std::size_t size = 0; size < stream.size(); ++size) {
    EXPECT_FALSE(inflater.Fill(std::string_view(stream).substr(0, size), out.data(), out.size()));
  }
  std::string forged = stream;
  forged.back() = static_cast<char>(forged.back() ^ 1);
  EXPECT_FALSE(inflater.Fill(forged, out.data(), out.size())) << "its checksum";
}

TEST(Streams, OfUnknownLengthSayHowTheyEnded) {
  Deflater deflater;
  Inflater inflater;
  const std::string stream(deflater.Compress("0123456789"));
  std::string out(20, '?');
  std::size_t size = 0;
  EXPECT_EQ(inflater.FillUpTo(stream, out.data(), 20, size), Inflater::Ended::kWhole);
  EXPECT_EQ(size, 10U);
  EXPECT_EQ(inflater.FillUpTo(stream, out.data(), 5, size), Inflater::Ended::kNoRoom);
  EXPECT_EQ(inflater.FillUpTo("nonsense", out.data(), 20, size), Inflater::Ended::kBroken);
}

TEST(Streams, ANulAtTheBeginningIsSeen) {
  Deflater deflater;
  Inflater inflater;
  EXPECT_TRUE(inflater.BeginsWithNul(deflater.Compress(std::string(2000, '\0'))));
  EXPECT_TRUE(inflater.BeginsWithNul(deflater.Compress(std::string("ab\0cd", 5))));
  EXPECT_FALSE(inflater.BeginsWithNul(deflater.Compress(std::string(2000, 'x'))));
  EXPECT_FALSE(inflater.BeginsWithNul(""));
  EXPECT_FALSE(inflater.BeginsWithNul("nonsense that is no stream"));
}

TEST(Checksums, AreThoseOfZlib) {
  EXPECT_EQ(Crc32(""), 0U);
  EXPECT_EQ(Crc32("123456789"), 0xCBF43926U);
}

DeltaCache::Base BaseAt(std::uint64_t offset, std::size_t bytes) {
  DeltaCache::Base base{.place = {.pack = 0, .offset = offset}, .type = ObjectType::kBlob};
  base.bytes.Prepare(bytes);
  return base;
}

TEST(DeltaCaches, DropTheLeastRecentlyUsed) {
  DeltaCache cache(250);
  cache.Put(BaseAt(1, 100));
  cache.Put(BaseAt(2, 100));
  ASSERT_NE(cache.Find({0, 1}), nullptr) << "used now";
  cache.Put(BaseAt(3, 100));
  EXPECT_NE(cache.Find({0, 1}), nullptr);
  EXPECT_EQ(cache.Find({0, 2}), nullptr);
  EXPECT_NE(cache.Find({0, 3}), nullptr);
  EXPECT_EQ(cache.TakeBuffer().capacity(), 100U) << "the memory of what was dropped";
  EXPECT_EQ(cache.TakeBuffer().capacity(), 0U);
}

TEST(DeltaCaches, KeepTheNewestWhateverItsSize) {
  DeltaCache cache(10);
  EXPECT_EQ(cache.Put(BaseAt(1, 1000))->place.offset, 1U);
  EXPECT_NE(cache.Find({0, 1}), nullptr);
  EXPECT_EQ(cache.Find({1, 1}), nullptr) << "of another pack";
}

}  // namespace
}  // namespace sibyl::git
