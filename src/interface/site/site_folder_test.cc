// SPDX-License-Identifier: Apache-2.0
#include "interface/site/site_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"

namespace sibyl::interface {
namespace {

namespace fs = std::filesystem;

class SiteFolder : public ::testing::Test {
 protected:
  Result<SiteWritten> Write(const std::vector<SiteFile>& files) {
    return WriteSite(*Root::Create(out()), files);
  }
  fs::path out() const { return folder_.path() / "out"; }
  fs::path outside() const { return folder_.path() / "outside"; }
  void Put(const fs::path& path, std::string_view text) {
    fs::create_directories(path.parent_path());
    ASSERT_TRUE(WriteFileAtomically(path, text).ok());
  }
  std::string Text(const fs::path& path) { return ReadFile(path).ok() ? *ReadFile(path) : ""; }

  TemporaryFolder folder_;
};

TEST_F(SiteFolder, WritesFilesAndAMarkerThatListsThem) {
  const auto written = Write({{"index.html", "one"}, {"page/a.html", "two"}});
  ASSERT_TRUE(written.ok()) << written.error().message;
  EXPECT_EQ(written->files, 2U);
  EXPECT_EQ(written->changed, 2U);
  EXPECT_EQ(written->bytes, 6U);
  EXPECT_EQ(Text(out() / "page/a.html"), "two");
  EXPECT_EQ(Text(out() / kSiteMarker), "sibyl site 1\nindex.html\npage/a.html\n");
}

TEST_F(SiteFolder, AgainItChangesNothingThatIsTheSame) {
  ASSERT_TRUE(Write({{"index.html", "one"}, {"a.css", "two"}}).ok());
  const auto again = Write({{"index.html", "one"}, {"a.css", "three"}});
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->changed, 1U);
}

TEST_F(SiteFolder, RemovesWhatIsNoLongerPartOfTheSite) {
  ASSERT_TRUE(Write({{"index.html", "one"}, {"page/old/a.html", "two"}}).ok());
  Put(out() / "CNAME", "docs.example.org");
  const auto again = Write({{"index.html", "one"}});
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->removed, 1U);
  EXPECT_FALSE(fs::exists(out() / "page"));
  EXPECT_TRUE(fs::exists(out() / "CNAME"));
}

TEST_F(SiteFolder, AFolderOfSomebodyElseIsRefused) {
  Put(out() / "thesis.txt", "mine");
  const auto written = Write({{"index.html", "one"}});
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().kind, ErrorKind::kUsage);
  EXPECT_NE(written.error().message.find("the folder is not empty"), std::string::npos);
  EXPECT_FALSE(fs::exists(out() / "index.html"));
}

TEST_F(SiteFolder, ARepositoryWithoutFilesIsEmpty) {
  fs::create_directories(out() / ".git");
  EXPECT_TRUE(Write({{"index.html", "one"}}).ok());
}

TEST_F(SiteFolder, AFileThatItDidNotWriteIsNotReplaced) {
  ASSERT_TRUE(Write({{"index.html", "one"}}).ok());
  Put(out() / "page/mine.html", "mine");
  const auto again = Write({{"index.html", "two"}, {"page/mine.html", "theirs"}});
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(Text(out() / "page/mine.html"), "mine");
  EXPECT_EQ(Text(out() / "index.html"), "one");
}

TEST_F(SiteFolder, NeverWritesThroughALink) {
  ASSERT_TRUE(Write({{"index.html", "one"}, {"page/a.html", "two"}}).ok());
  Put(outside() / "index.html", "theirs");
  fs::remove(out() / "index.html");
  fs::create_symlink(outside() / "index.html", out() / "index.html");
  EXPECT_FALSE(Write({{"index.html", "changed"}}).ok());
  EXPECT_EQ(Text(outside() / "index.html"), "theirs");

  fs::remove(out() / "index.html");
  fs::remove_all(out() / "page");
  fs::create_directory_symlink(outside(), out() / "page");
  EXPECT_FALSE(Write({{"page/index.html", "changed"}}).ok());
  EXPECT_FALSE(Write({{"page/new.html", "changed"}}).ok());
  EXPECT_EQ(Text(outside() / "index.html"), "theirs");
  EXPECT_FALSE(fs::exists(outside() / "new.html"));
}

TEST_F(SiteFolder, AForgedMarkerRemovesNothingElse) {
  Put(outside() / "a.html", "theirs");
  Put(out() / ".git/a.html", "history");
  Put(out() / "notes.txt", "mine");
  Put(out() / kSiteMarker,
      "sibyl site 1\n../outside/a.html\n.git/a.html\nnotes.txt\n/etc/a.html\n");
  ASSERT_TRUE(Write({{"index.html", "one"}}).ok());
  EXPECT_TRUE(fs::exists(outside() / "a.html"));
  EXPECT_TRUE(fs::exists(out() / ".git/a.html"));
  EXPECT_TRUE(fs::exists(out() / "notes.txt"));
}

TEST_F(SiteFolder, AMarkerThatIsALinkOrForeignIsRefused) {
  Put(out() / kSiteMarker, "something else\n");
  EXPECT_FALSE(Write({{"index.html", "one"}}).ok());
  fs::remove(out() / kSiteMarker);
  Put(outside() / "marker", "sibyl site 1\n");
  fs::create_symlink(outside() / "marker", out() / kSiteMarker);
  EXPECT_FALSE(Write({{"index.html", "one"}}).ok());
  EXPECT_EQ(Text(outside() / "marker"), "sibyl site 1\n");
}

TEST_F(SiteFolder, AfterAKillItGoesOn) {
  // The marker lists what was about to be written; one file is there.
  Put(out() / kSiteMarker, "sibyl site 1\na.html\nb.html\n");
  Put(out() / "a.html", "half");
  const auto written = Write({{"a.html", "whole"}, {"c.html", "new"}});
  ASSERT_TRUE(written.ok()) << written.error().message;
  EXPECT_EQ(Text(out() / "a.html"), "whole");
}

TEST_F(SiteFolder, APathThatCannotBePartOfASiteIsRefused) {
  EXPECT_FALSE(Write({{"../x.html", ""}}).ok());
  EXPECT_FALSE(Write({{".git/x.html", ""}}).ok());
  EXPECT_FALSE(Write({{"x.sh", ""}}).ok());
  EXPECT_FALSE(Write({{"x.html", ""}, {"x.html", ""}}).ok());
}

}  // namespace
}  // namespace sibyl::interface
