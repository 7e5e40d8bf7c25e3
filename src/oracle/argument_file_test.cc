// SPDX-License-Identifier: Apache-2.0
#include "oracle/argument_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "oracle/test_context.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

class ArgumentFileTest : public OracleTest {
 protected:
  ArgumentFile Find(std::string_view argument) const {
    Result<ArgumentFile> file = ArgumentFile::Find(Here(), argument);
    EXPECT_TRUE(file.ok()) << file.error().message;
    return *std::move(file);
  }

  FileSearch Markdown() const {
    return {.is_wanted = [](std::string_view name) { return name.ends_with(".md"); },
            .enters = [](std::string_view name) { return !name.starts_with('.'); }};
  }

  std::vector<std::string> NamesOf(const FilesBelow& below) const {
    std::vector<std::string> names;
    for (const ArgumentFile& file : below.files) {
      names.push_back(file.path().lexically_relative(top()).string());
    }
    return names;
  }
};

TEST_F(ArgumentFileTest, NeedNotExist) {
  const ArgumentFile file = Find("oracle/none/page.md");
  EXPECT_FALSE(file.Exists());
  EXPECT_FALSE(file.IsFolder());
  EXPECT_EQ(file.in_oracle(), "none/page.md");
  EXPECT_EQ(file.Read().error().kind, ErrorKind::kNotFound);
  EXPECT_FALSE(file.Map().ok());
  EXPECT_FALSE(file.OpenFolder().ok());
}

TEST_F(ArgumentFileTest, AnAbsolutePathIsNotLookedForInTheOracle) {
  Write("oracle/etc/page.md", "x");
  EXPECT_EQ(Find("/etc/page.md").path(), "/etc/page.md");
  EXPECT_EQ(Find("/etc/page.md").in_oracle(), std::nullopt);
}

TEST_F(ArgumentFileTest, IsNamedByItsShortestPath) {
  Write("oracle/a/page.md", "x");
  const ArgumentFile file = Find("oracle/./a/../a//page.md");
  EXPECT_EQ(file.path(), oracle() / "a/page.md");
  EXPECT_EQ(file.in_oracle(), "a/page.md");
}

TEST_F(ArgumentFileTest, ATrailingSlashNamesTheSameFolder) {
  Write("oracle/a/page.md", "x");
  EXPECT_TRUE(Find("oracle/a/").IsFolder());
  EXPECT_EQ(Find("oracle/a/").in_oracle(), "a");
  EXPECT_EQ(Find("oracle/").in_oracle(), ".");
}

TEST_F(ArgumentFileTest, AFolderWhoseNameBeginsLikeTheOraclesIsOutside) {
  Write("oracle-2/page.md", "x");
  EXPECT_EQ(Find("oracle-2/page.md").in_oracle(), std::nullopt);
  EXPECT_EQ(*Find("oracle-2/page.md").Read(), "x");
}

TEST_F(ArgumentFileTest, ANameWithTwoDotsInItIsInside) {
  Write("oracle/..page.md", "x");
  EXPECT_EQ(Find("oracle/..page.md").in_oracle(), "..page.md");
  EXPECT_EQ(*Find("oracle/..page.md").Read(), "x");
}

TEST_F(ArgumentFileTest, ANulByteIsRefusedForReadingAndForWriting) {
  const std::string_view name("page.md\0.txt", 12);
  EXPECT_EQ(ArgumentFile::Find(Here(), name).error().kind, ErrorKind::kUsage);
  EXPECT_EQ(ArgumentFile::ToWrite(Here(), name).error().kind, ErrorKind::kUsage);
}

TEST_F(ArgumentFileTest, AFileToWriteIsNotLookedForInTheOracle) {
  Write("oracle/page.md", "old");
  const Result<ArgumentFile> file = ArgumentFile::ToWrite(Here(), "page.md");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->path(), top() / "page.md");
  EXPECT_TRUE(file->Write("new").ok());
  EXPECT_EQ(Read("page.md"), "new");
  EXPECT_EQ(Read("oracle/page.md"), "old");
}

TEST_F(ArgumentFileTest, MakesTheFoldersAboveAFileOnlyWhenToldTo) {
  for (const char* name : {"oracle/new/page.md", "outside/page.md"}) {
    const Result<ArgumentFile> file = ArgumentFile::ToWrite(Here(), name);
    ASSERT_TRUE(file.ok()) << name;
    EXPECT_FALSE(file->Write("x").ok()) << name;
    EXPECT_FALSE(fs::exists(file->path().parent_path())) << name;
    EXPECT_TRUE(file->Write("x", Parents::kMade).ok()) << name;
    EXPECT_EQ(Read(name), "x");
  }
}

TEST_F(ArgumentFileTest, AnAgentWritesOnlyWhereItMayRead) {
  EXPECT_EQ(ArgumentFile::ToWrite(Agent(), "../outside.md").error().kind, ErrorKind::kUsage);
  EXPECT_EQ(ArgumentFile::ToWrite(Agent(), ".git/hooks/post-commit").error().kind,
            ErrorKind::kUsage);
  EXPECT_TRUE(ArgumentFile::ToWrite(Agent(), "inside.md")->Write("x").ok());
  EXPECT_EQ(Read("oracle/inside.md"), "x");
}

TEST_F(ArgumentFileTest, SaysToAnAgentHowAFolderIsAllowed) {
  const Result<ArgumentFile> file = ArgumentFile::Find(Agent(), "../secret.md");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().message,
            "reading " + (top() / "secret.md").string() + ": outside the folders that may be read");
  EXPECT_NE(file.error().hint.find("--allow DIR"), std::string::npos);
}

TEST_F(ArgumentFileTest, ALinkThatMayNotBeFollowedExists) {
  Write("secret.md", "secret");
  fs::create_symlink(top() / "secret.md", oracle() / "out.md");
  const ArgumentFile file = Find("oracle/out.md");
  EXPECT_TRUE(file.Exists());
  EXPECT_FALSE(file.IsFolder());
  const Result<std::string> text = file.Read();
  ASSERT_FALSE(text.ok());
  EXPECT_NE(text.error().message.find("out.md"), std::string::npos) << text.error().message;
  EXPECT_FALSE(file.Map().ok());
  EXPECT_FALSE(file.CheckedPath().ok());
}

TEST_F(ArgumentFileTest, ALinkInsideIsFollowedAndItsCheckedPathIsTheFile) {
  Write("oracle/a/page.md", "text");
  fs::create_symlink("a/page.md", oracle() / "link.md");
  fs::create_directory_symlink("a", oracle() / "folder");
  EXPECT_EQ(*Find("oracle/link.md").Read(), "text");
  EXPECT_EQ(Find("oracle/link.md").Map()->bytes(), "text");
  EXPECT_EQ(*Find("oracle/link.md").CheckedPath(), oracle() / "a/page.md");
  EXPECT_TRUE(Find("oracle/folder").IsFolder());
  EXPECT_TRUE(Find("oracle/folder").OpenFolder()->IsFile("page.md"));
}

TEST_F(ArgumentFileTest, APersonsOwnPathIsCheckedAsItIs) {
  Write("page.md", "text");
  EXPECT_EQ(*Find("page.md").CheckedPath(), top() / "page.md");
}

TEST_F(ArgumentFileTest, ANamedPipeIsRefusedAndNotWaitedFor) {
  ASSERT_EQ(::mkfifo((top() / "pipe").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo((oracle() / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(Find("pipe").Read().ok());
  EXPECT_FALSE(Find("oracle/pipe").Read().ok());
  EXPECT_FALSE(Find("oracle/pipe").Map().ok());
}

TEST_F(ArgumentFileTest, ReadsNoMoreThanItIsTold) {
  Write("oracle/page.md", "0123456789");
  Write("page.md", "0123456789");
  for (const char* name : {"oracle/page.md", "page.md"}) {
    EXPECT_TRUE(Find(name).Read({.max_bytes = 10}).ok()) << name;
    EXPECT_FALSE(Find(name).Read({.max_bytes = 9}).ok()) << name;
  }
}

TEST_F(ArgumentFileTest, TheOracleIsAFolderWhoseFilesAreNamedFromIt) {
  Write("oracle/a/page.md", "text");
  const Result<ArgumentFile> folder = ArgumentFile::Oracle(Here());
  ASSERT_TRUE(folder.ok());
  EXPECT_TRUE(folder->IsFolder());
  EXPECT_EQ(folder->in_oracle(), ".");
  const ArgumentFile file = *folder / "a/page.md";
  EXPECT_EQ(file.in_oracle(), "a/page.md");
  EXPECT_EQ(file.path(), oracle() / "a/page.md");
  EXPECT_EQ(*file.Read(), "text");
}

TEST_F(ArgumentFileTest, WithoutAnOracleThereIsNoOracleFolder) {
  Context context = Here();
  context.oracle.reset();
  EXPECT_EQ(ArgumentFile::Oracle(context).error().kind, ErrorKind::kUsage);
  EXPECT_EQ(ArgumentFile::Find(context, "oracle/sibyl.toml")->in_oracle(), std::nullopt);
}

TEST_F(ArgumentFileTest, NamesTheFilesBesideOne) {
  Write("oracle/a/one.md", "");
  Write("oracle/a/two.md", "");
  Write("b/three.md", "");
  EXPECT_EQ(Find("oracle/a/none.md").NamesBeside(), (std::vector<std::string>{"one.md", "two.md"}));
  EXPECT_EQ(Find("b/none.md").NamesBeside(), std::vector<std::string>{"three.md"});
  EXPECT_TRUE(Find("oracle/none/none.md").NamesBeside().empty());
}

TEST_F(ArgumentFileTest, FilesBelowAFolderAreSortedAndChosenByName) {
  Write("oracle/b/page.md", "");
  Write("oracle/b/data.txt", "");
  Write("oracle/a/page.md", "");
  Write("oracle/.hidden/page.md", "");
  const Result<FilesBelow> below = FindFilesBelow(Here(), Find("oracle"), Markdown());
  ASSERT_TRUE(below.ok());
  EXPECT_EQ(NamesOf(*below), (std::vector<std::string>{"oracle/a/page.md", "oracle/b/page.md"}));
  EXPECT_TRUE(below->skipped.empty());
}

TEST_F(ArgumentFileTest, FilesBelowAPersonsFolderAreOpenedThroughIt) {
  Write("notes/page.md", "text");
  Write("secret.md", "secret");
  fs::create_symlink(top() / "secret.md", top() / "notes/out.md");
  const Result<FilesBelow> below = FindFilesBelow(Here(), Find("notes"), Markdown());
  ASSERT_TRUE(below.ok());
  ASSERT_EQ(NamesOf(*below), (std::vector<std::string>{"notes/out.md", "notes/page.md"}));
  EXPECT_FALSE(below->files[0].Read().ok()) << "a link out of the folder that was named";
  EXPECT_EQ(*below->files[1].Read(), "text");
}

TEST_F(ArgumentFileTest, FilesBelowSomethingThatIsNotAFolderAreAnError) {
  Write("oracle/page.md", "");
  EXPECT_FALSE(FindFilesBelow(Here(), Find("oracle/page.md"), Markdown()).ok());
  EXPECT_FALSE(FindFilesBelow(Here(), Find("oracle/none"), Markdown()).ok());
}

TEST_F(ArgumentFileTest, ALimitOnFilesIsReportedWithTheNumberNotRead) {
  for (const char* name : {"a.md", "b.md", "c.md"}) Write(fs::path("oracle") / name, "");
  FileSearch search = Markdown();
  search.max_files = 1;
  const Result<FilesBelow> below = FindFilesBelow(Here(), Find("oracle"), search);
  ASSERT_TRUE(below.ok());
  EXPECT_EQ(below->files.size(), 1U);
  ASSERT_EQ(below->skipped.size(), 1U);
  EXPECT_EQ(below->skipped[0].severity, Severity::kError);
  EXPECT_EQ(below->skipped[0].message, "more than 1 files; 2 are not read");
}

TEST_F(ArgumentFileTest, PathBelowKnowsTheFolderByAnySpelling) {
  Write("oracle/a/page.md", "");
  fs::create_directory_symlink(top(), top() / "alias");
  EXPECT_EQ(PathBelow(oracle(), oracle() / "a/page.md"), fs::path("a/page.md"));
  EXPECT_EQ(PathBelow(oracle(), oracle()), fs::path("."));
  EXPECT_EQ(PathBelow(oracle(), top() / "alias/oracle/a/page.md"), fs::path("a/page.md"));
  EXPECT_EQ(PathBelow(top() / "alias/oracle", oracle() / "a/page.md"), fs::path("a/page.md"));
  EXPECT_EQ(PathBelow(oracle(), top() / "other/page.md"), std::nullopt);
  EXPECT_EQ(PathBelow(oracle() / "none", top() / "page.md"), std::nullopt);
}

TEST_F(ArgumentFileTest, AnInputIsAFileLikeAnyOther) {
  Write("oracle/text.md", "text");
  EXPECT_EQ(*ReadInput(Here(), "text.md"), "text");
  EXPECT_FALSE(ReadInput(Here(), "none.md").ok());
  EXPECT_FALSE(ReadInput(Here(), "text.md", {.max_bytes = 3}).ok());
}

TEST_F(ArgumentFileTest, ADashIsAFileNameForAnAgent) {
  EXPECT_EQ(ReadInput(Agent(), "-").error().kind, ErrorKind::kNotFound);
  Write("oracle/-", "a file");
  EXPECT_EQ(*ReadInput(Agent(), "-"), "a file");
}

}  // namespace
}  // namespace sibyl::oracle
