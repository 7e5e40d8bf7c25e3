// SPDX-License-Identifier: Apache-2.0
#include "evidence/history/history_file.h"

#include <gtest/gtest.h>

#include <vector>

namespace sibyl::evidence {
namespace {

git::ObjectId IdOf(std::uint8_t number) {
  git::ObjectId id;
  id.bytes.fill(number);
  return id;
}

HistoryRow RowOf(std::uint8_t id, std::uint32_t first, std::uint32_t count) {
  HistoryRow row;
  const git::ObjectId object = IdOf(id);
  std::copy(object.bytes.begin(), object.bytes.end(), row.id);
  row.first_change = first;
  row.change_count = count;
  row.weight = 255;
  return row;
}

// Commit 0 changed new.c and gone.c's successor; commit 1 moved old.c to new.c; commit 2
// changed old.c; commit 3 made it.
HistoryTables Sample() {
  return {.tip = IdOf(9),
          .commits = {RowOf(9, 0, 2), RowOf(3, 2, 2), RowOf(7, 4, 1), RowOf(1, 5, 2)},
          .changes = {1, 2, 1, 2, 2, 0, 2},
          .moves = {{.commit = 1, .from = 2, .to = 1}},
          .paths = {"gone.c", "new.c", "old.c"},
          .is_present = {false, true, true}};
}

// Aligned as a mapped file is.
class Aligned {
 public:
  explicit Aligned(std::string_view bytes) : words_(bytes.size() / 8 + 1), size_(bytes.size()) {
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(words_.data()));
  }
  std::string_view view() const { return {reinterpret_cast<const char*>(words_.data()), size_}; }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t size_;
};

std::vector<std::uint32_t> Listed(const HistoryFile& file, std::string_view path) {
  const std::span<const std::uint32_t> list = file.CommitsOf(*file.FindPath(path));
  return {list.begin(), list.end()};
}

TEST(HistoryFile, FollowsAFileUnderItsEarlierName) {
  const Aligned bytes(FormatHistory(Sample()));
  const Result<HistoryFile> file = HistoryFile::FromBytes(bytes.view());
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_TRUE(file->Check().ok());
  EXPECT_EQ(file->tip(), IdOf(9));
  ASSERT_EQ(file->commit_count(), 4U);
  EXPECT_EQ(Listed(*file, "new.c"), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  // The old.c of the tip came after the move: what the name was before is new.c now.
  EXPECT_EQ(Listed(*file, "old.c"), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_TRUE(Listed(*file, "gone.c").empty());
  EXPECT_FALSE(file->FindPath("nothing.c"));
  EXPECT_EQ(file->FindCommit(IdOf(7)), 2U);
  EXPECT_FALSE(file->FindCommit(IdOf(8)));
  EXPECT_EQ(file->ChangesOf(3).size(), 2U);
}

TEST(HistoryFile, RefusesWhatIsCutOrOfAnotherVersion) {
  const std::string whole = FormatHistory(Sample());
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    const Aligned cut(std::string_view(whole).substr(0, size));
    EXPECT_FALSE(HistoryFile::FromBytes(cut.view()).ok()) << size;
  }
  std::string newer = whole;
  newer[8] = 2;
  const Aligned bytes(newer);
  const Result<HistoryFile> refused = HistoryFile::FromBytes(bytes.view());
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("version 2"), std::string::npos);
}

// Each byte is changed once: the checksum notices, and no reader leaves its bytes.
TEST(HistoryFile, SurvivesEveryFlippedByte) {
  const std::string whole = FormatHistory(Sample());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    const Aligned bytes(damaged);
    const Result<HistoryFile> file = HistoryFile::FromBytes(bytes.view());
    if (!file.ok()) continue;
    for (std::size_t i = 0; i < file->commit_count(); ++i) (void)file->ChangesOf(i);
    for (std::size_t i = 0; i < file->path_count(); ++i) {
      (void)file->FindPath(file->path(i));
      (void)file->CommitsOf(i);
    }
    (void)file->FindCommit(IdOf(7));
    // Of the header, its own checksum alone; the rest of it is checked when it is opened.
    const bool is_checked = at >= 192 || (at >= 44 && at < 64);
    EXPECT_NE(file->Check().ok(), is_checked) << at;
  }
}

}  // namespace
}  // namespace sibyl::evidence
