// SPDX-License-Identifier: Apache-2.0
#include "oracle/argument_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "engine/test_operations.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

class ArgumentFiles : public engine::OperationTest {
 protected:
  ArgumentFiles() {
    MakeOracle();
    Write("here/both.md", "here");
    Write("oracle/both.md", "oracle");
    Write("oracle/docs/there.md", "there");
    Write("secret/key.md", "secret");
  }

  void Amend(oracle::Context& context) override {
    if (!oracle_) return;  // it is about to be made
    context.working_folder = folder_.path() / "here";
    if (!is_served_) return;
    context.working_folder = *oracle_;
    context.roots = {*oracle_};
    if (allowed_) context.roots.push_back(*allowed_);
  }

  std::string ReadNamed(const std::string& argument) {
    const Result<oracle::ArgumentFile> file = oracle::ArgumentFile::Find(Here(), argument);
    if (!file.ok()) return "refused: " + file.error().message;
    const Result<std::string> text = file->Read();
    return text.ok() ? *text : "error: " + text.error().message;
  }

  bool is_served_ = false;
  std::optional<fs::path> allowed_;
};

TEST_F(ArgumentFiles, AreLookedForHereAndThenInTheOracle) {
  EXPECT_EQ(ReadNamed("both.md"), "here");
  EXPECT_EQ(ReadNamed("docs/there.md"), "there");
  EXPECT_EQ(oracle::ArgumentFile::Find(Here(), "none.md")->path(), folder_.path() / "here/none.md");
  EXPECT_EQ(oracle::ArgumentFile::Find(Here(), "docs/there.md")->in_oracle(), "docs/there.md");
  EXPECT_EQ(oracle::ArgumentFile::Find(Here(), "both.md")->in_oracle(), std::nullopt);
}

TEST_F(ArgumentFiles, APersonsOwnLinkIsFollowedAndAnOraclesLinkOutIsNot) {
  fs::create_symlink(folder_.path() / "secret/key.md", folder_.path() / "here/mine.md");
  fs::create_symlink(folder_.path() / "secret/key.md", *oracle_ / "theirs.md");
  fs::create_symlink(folder_.path() / "secret", *oracle_ / "folder");
  EXPECT_EQ(ReadNamed("mine.md"), "secret");
  for (const char* name : {"theirs.md", "folder/key.md", "../oracle/theirs.md"}) {
    const std::string read = ReadNamed(name);
    EXPECT_EQ(read.find("secret"), read.find("secret/")) << name << ": " << read;
    EXPECT_TRUE(read.starts_with("error: ")) << name << ": " << read;
  }
  // By another spelling of the way to the oracle.
  fs::create_directory_symlink(folder_.path(), folder_.path() / "alias");
  EXPECT_TRUE(ReadNamed((folder_.path() / "alias/oracle/theirs.md").string()).starts_with("error"));
  EXPECT_EQ(ReadNamed((folder_.path() / "alias/oracle/docs/there.md").string()), "there");
}

TEST_F(ArgumentFiles, AServerReadsOnlyWhatItIsAllowed) {
  is_served_ = true;
  fs::create_symlink("docs/there.md", *oracle_ / "inside.md");
  fs::create_symlink(".git/config", *oracle_ / "config.md");
  EXPECT_EQ(ReadNamed("docs/there.md"), "there");
  EXPECT_EQ(ReadNamed("inside.md"), "there");
  EXPECT_EQ(ReadNamed((*oracle_ / "docs/there.md").string()), "there");
  for (const char* name : {"../secret/key.md", "/etc/hostname", ".git/config", ".sibyl/x", "-",
                           "/dev/stdin", "/proc/self/environ", "docs/../../secret/key.md"}) {
    const std::string read = ReadNamed(name);
    EXPECT_TRUE(read.starts_with("refused") || read.starts_with("error")) << name << ": " << read;
  }
  EXPECT_TRUE(ReadNamed("config.md").starts_with("error: "));
  EXPECT_FALSE(oracle::ReadInput(Here(), "-").ok()) << "standard input is the server's";
  EXPECT_FALSE(oracle::ArgumentFile::Find(Here(), std::string_view("a\0b", 3)).ok());
  allowed_ = folder_.path() / "secret";
  EXPECT_EQ(ReadNamed((folder_.path() / "secret/key.md").string()), "secret");
}

TEST_F(ArgumentFiles, AreNeverWrittenThroughALink) {
  fs::create_symlink(folder_.path() / "made.md", *oracle_ / "dangling.md");
  fs::create_symlink(folder_.path() / "secret", *oracle_ / "folder");
  for (const char* name :
       {"../oracle/dangling.md", "../oracle/folder/key.md", "../oracle/folder/new/key.md"}) {
    EXPECT_FALSE(
        oracle::ArgumentFile::ToWrite(Here(), name)->Write("x", oracle::Parents::kMade).ok())
        << name;
  }
  EXPECT_FALSE(fs::exists(folder_.path() / "made.md"));
  EXPECT_FALSE(fs::exists(folder_.path() / "secret/new"));
  EXPECT_EQ(*ReadFile(folder_.path() / "secret/key.md"), "secret");
  EXPECT_TRUE(
      oracle::ArgumentFile::ToWrite(Here(), "a/b.md")->Write("x", oracle::Parents::kMade).ok());
  EXPECT_TRUE(oracle::ArgumentFile::ToWrite(Here(), "../oracle/a/b.md")
                  ->Write("x", oracle::Parents::kMade)
                  .ok());
}

TEST_F(ArgumentFiles, BelowAFolderNothingIsLeftOutInSilence) {
  fs::create_directory_symlink(folder_.path() / "secret", *oracle_ / "docs/linked");
  fs::create_symlink(folder_.path() / "secret/key.md", *oracle_ / "docs/page.md");
  ASSERT_EQ(::mkfifo((*oracle_ / "docs/pipe.md").c_str(), 0600), 0);
  Write("oracle/docs/more.md", "more");
  const oracle::FileSearch search{
      .is_wanted = [](std::string_view name) { return name.ends_with(".md"); },
      .enters = [](std::string_view) { return true; },
      .max_files = 3};
  const oracle::Context here = Here();
  const auto folder = oracle::ArgumentFile::Find(here, "docs");
  const auto found = oracle::FindFilesBelow(here, *folder, search);
  ASSERT_TRUE(found.ok()) << found.error().message;
  ASSERT_EQ(found->files.size(), 3U);
  EXPECT_EQ(*found->files[0].Read(), "more");
  EXPECT_FALSE(found->files[1].Read().ok()) << "a link out";
  EXPECT_FALSE(found->files[2].Read().ok()) << "a named pipe";
  ASSERT_EQ(found->skipped.size(), 2U);
  EXPECT_NE(found->skipped[0].place.file.find("docs/linked"), std::string::npos);
  EXPECT_EQ(found->skipped[1].message, "more than 3 files; 1 are not read");
}

}  // namespace
}  // namespace sibyl::engine
