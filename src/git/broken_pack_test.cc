// SPDX-License-Identifier: Apache-2.0
#include "git/broken_pack.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/files/temporary_folder.h"
#include "git/test_git.h"

namespace sibyl::git {
namespace {

// A pack that git made, with deltas in it, cut wherever the test likes.
class BrokenPack : public testing::Test {
 protected:
  BrokenPack() : git_(folder_.path() / "origin") {
    std::string text;
    for (int i = 0; i < 300; ++i) text += "line " + std::to_string(i * 7919) + "\n";
    for (int i = 0; i < 12; ++i) {
      text += "one more " + std::to_string(i) + "\n";
      git_.Write("file" + std::to_string(i) + ".txt", text);
    }
    git_.Commit();
    git_.Run({"repack", "-q", "-a", "-d", "--depth=10"});
    for (const auto& entry :
         std::filesystem::directory_iterator(git_.folder() / ".git" / "objects" / "pack")) {
      if (entry.path().extension() == ".pack") pack_ = *ReadFile(entry.path());
    }
    EXPECT_EQ(FindWholeEntries(pack_).count, 14U);  // a commit, a tree, twelve files
  }

  std::filesystem::path Cut(std::size_t bytes) const {
    const std::filesystem::path path = folder_.path() / "cut.pack";
    std::ofstream(path, std::ios::binary) << pack_.substr(0, bytes);
    return path;
  }

  TemporaryFolder folder_;
  TestGit git_;
  std::string pack_;
};

TEST_F(BrokenPack, IsAPackOfWhatCameWhereverItIsCut) {
  std::uint32_t last = 0;
  for (std::size_t bytes = 0; bytes <= pack_.size(); bytes += bytes % 3 + 1) {
    const WholeEntries whole = FindWholeEntries(std::string_view(pack_).substr(0, bytes));
    EXPECT_GE(whole.count, last) << bytes;
    EXPECT_LE(whole.end + 20, std::max<std::size_t>(bytes, 20)) << bytes;
    if (whole.count == last) continue;
    last = whole.count;
    const std::filesystem::path path = Cut(bytes);
    const Result<std::uint32_t> closed = CloseBrokenPack(path);
    ASSERT_TRUE(closed.ok()) << closed.error().message;
    EXPECT_EQ(*closed, whole.count);
    git_.Run({"index-pack", path.string()});  // git agrees, or the test fails
    const std::string once = *ReadFile(path);
    EXPECT_EQ(*CloseBrokenPack(path), whole.count);
    EXPECT_EQ(*ReadFile(path), once) << "the second time changed it";
  }
  EXPECT_EQ(last, 14U);
}

TEST_F(BrokenPack, EndsAtTheFirstEntryThatIsDamaged) {
  const WholeEntries half = FindWholeEntries(std::string_view(pack_).substr(0, pack_.size() / 2));
  std::string damaged = pack_;
  damaged[half.end + 5] = static_cast<char>(damaged[half.end + 5] ^ 0x55);
  EXPECT_LE(FindWholeEntries(damaged).count, half.count + 1);
  EXPECT_GE(FindWholeEntries(damaged).count, half.count);
}

TEST_F(BrokenPack, OfNothingIsLeftAsItIs) {
  for (const std::string_view bytes : {"", "half a pack", "PACK"}) {
    const std::filesystem::path path = folder_.path() / "small";
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_EQ(*CloseBrokenPack(path), 0U);
    EXPECT_EQ(*ReadFile(path), bytes);
  }
  EXPECT_FALSE(CloseBrokenPack(folder_.path() / "none").ok());
}

}  // namespace
}  // namespace sibyl::git
