// SPDX-License-Identifier: Apache-2.0
// Oracles and sources that are laid out so that git, left to itself, would run
// programs of theirs. Each of them would leave a canary file.
#include <gtest/gtest.h>

#include "engine/evidence_operations.h"
#include "engine/expand_operations.h"
#include "engine/test_operations.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kGitPlan = R"(# Knowledge expansion: Gadget

## PART 1: How Gadget finds its profiler

- [ ] PART 1: Create gadget/01-profiler.md (~90 lines)

**Step 3: Write**
- [ ] Section 1: Detection (~50 lines)
      - Detection order of the profiler
)";

class HostileGit : public OperationTest {
 protected:
  HostileGit() {
    Write("notes/profiler.md",
          "# Profiler\n\nThe detection order of the profiler is fixed: the toolkit is asked before "
          "the system.\n");
    Write("gadget.md", kGitPlan);
  }

  fs::path canary() const { return folder_.path() / "canary"; }
  std::string Touch() const { return "touch '" + canary().string() + "'"; }

  void WriteProgram(const fs::path& path, const std::string& line) const {
    Write(path, "#!/bin/sh\n" + line + "\n");
    fs::permissions(folder_.path() / path, fs::perms::owner_all);
  }

  // A folder as a bare repository whose configuration names programs.
  void LayOutBare(const fs::path& folder) const {
    Write(folder / "HEAD", "ref: refs/heads/main\n");
    Write(folder / "objects/keep", "");
    Write(folder / "refs/keep", "");
    Write(
        folder / "config",
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = \"" +
            Touch() + "; false\"\n\thooksPath = programs\n\tsshCommand = \"" + Touch() +
            "\"\n\talternateRefsCommand = \"" + Touch() +
            "\"\n[uploadpack]\n\tpackObjectsHook = \"" + Touch() +
            "\"\n[filter \"evil\"]\n\tclean = \"" + Touch() + "; cat\"\n\tsmudge = \"" + Touch() +
            "; cat\"\n[diff]\n\texternal = \"" + Touch() + "\"\n[user]\n\tname = Eve\n" +
            "\temail = eve@example.org\n");
    WriteProgram(folder / "programs/pre-commit", Touch());
    WriteProgram(folder / "programs/post-commit", Touch());
    Write(folder / ".gitattributes", "*.md filter=evil\n");
  }
};

// Issue 16, 2: fsmonitor ran 16 times and a hook once.
TEST_F(HostileGit, AnOracleThatIsABareRepositoryRunsNothingAndIsCommittedAroundIt) {
  const fs::path outer = folder_.path() / "outer";
  fs::create_directories(outer);
  GitIn(outer, {"init", "-q", "-b", "main"});
  LayOutBare("outer/gpu");
  Write("outer/gpu/sibyl.toml", "");
  GitIn(outer, {"add", "-A"});
  GitIn(outer,
        {"-c", "user.name=Eve", "-c", "user.email=eve@example.org", "commit", "-q", "-m", "gift"});
  GitIn(folder_.path(), {"clone", "-q", "outer", "clone"});
  const fs::path clone = folder_.path() / "clone";
  GitIn(clone, {"config", "user.name", "Ada"});
  GitIn(clone, {"config", "user.email", "ada@example.org"});
  WriteProgram("clone/.git/hooks/pre-commit",
               "touch '" + (folder_.path() / "own-hook-ran").string() + "'");
  oracle_ = clone / "gpu";
  ASSERT_TRUE(fs::exists(*oracle_ / "HEAD"));
  ASSERT_TRUE(Run(kSourceAdd, {{"origin", "notes"}}).ok());
  EXPECT_TRUE(Done(kExpand, {{"plan", "gadget.md"}}).holds);
  Done(kStatus, {});
  EXPECT_FALSE(fs::exists(canary()));
  EXPECT_TRUE(fs::exists(folder_.path() / "own-hook-ran")) << "the user's own hooks still run";
  EXPECT_EQ(GitIn(clone, {"log", "-1", "--format=%an"}), "Ada");
  EXPECT_NE(GitIn(clone, {"log", "-1", "--format=", "--name-only"}).find("gpu/gadget/01-profiler"),
            std::string::npos);
}

TEST_F(HostileGit, AnOracleThatIsABareRepositoryAloneIsNotCommittedAndSaysSo) {
  LayOutBare("gpu");
  Write("gpu/sibyl.toml", "");
  oracle_ = folder_.path() / "gpu";
  ASSERT_TRUE(Run(kSourceAdd, {{"origin", "notes"}}).ok());
  const Outcome outcome = Done(kExpand, {{"plan", "gadget.md"}});
  EXPECT_FALSE(fs::exists(canary()));
  ASSERT_EQ(outcome.findings.size(), 1U);
  EXPECT_EQ(outcome.findings[0].code, "publish/no-git");
  EXPECT_NE(outcome.findings[0].message.find("itself a bare git repository"), std::string::npos);
}

TEST_F(HostileGit, InitInABareRepositoryRunsNothing) {
  LayOutBare("gpu");
  EXPECT_TRUE(Run(kInit, {{"dir", "gpu"}}).ok());
  EXPECT_TRUE(fs::exists(folder_.path() / "gpu/.git/HEAD"));
  EXPECT_FALSE(fs::exists(canary()));
}

// A repository on this machine is read by us; git is not run in it.
TEST_F(HostileGit, ALocalRepositoryAsASourceRunsNothing) {
  const fs::path source = folder_.path() / "source";
  Write("source/docs.md", "# Docs\n\nThe answer of the gadget is 42.\n");
  GitIn(source, {"init", "-q", "-b", "main"});
  GitIn(source, {"add", "-A"});
  GitIn(source,
        {"-c", "user.name=Eve", "-c", "user.email=eve@example.org", "commit", "-q", "-m", "one"});
  LayOutBare("hostile");
  fs::copy_file(folder_.path() / "hostile/config", source / ".git/config",
                fs::copy_options::overwrite_existing);
  WriteProgram("source/.git/hooks/post-upload-pack", Touch());
  MakeOracle();
  const auto added = Run(kSourceAdd, {{"origin", "source"}, {"kind", "git"}});
  ASSERT_TRUE(added.ok()) << added.error().message;
  EXPECT_TRUE(Run(kSourceSync, {}).ok());
  EXPECT_FALSE(fs::exists(canary()));
}

TEST_F(HostileGit, ARepositoryThatBorrowsObjectsFromAnotherIsRefused) {
  const fs::path secret = folder_.path() / "private";
  Write("private/diary.md", "# Diary\n\nThe code of the safe is 1234.\n");
  GitIn(secret, {"init", "-q", "-b", "main"});
  GitIn(secret, {"add", "-A"});
  GitIn(secret,
        {"-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", "one"});
  const std::string commit = GitIn(secret, {"rev-parse", "HEAD"});
  MakeOracle();
  const auto lay_out = [&](const std::string& name) {
    Write("oracle/" + name + "/HEAD", commit + "\n");
    Write("oracle/" + name + "/refs/keep", "");
    return *oracle_ / name;
  };
  const std::string objects = (secret / ".git/objects").string();
  const fs::path alternates = lay_out("alternates.git");
  Write("oracle/alternates.git/objects/info/alternates", objects + "\n");
  const fs::path linked = lay_out("linked.git");
  fs::create_directory_symlink(objects, linked / "objects");
  const fs::path pack = lay_out("pack.git");
  fs::create_directories(pack / "objects");
  for (const auto& entry : fs::directory_iterator(objects)) {
    fs::create_directory_symlink(entry.path(), pack / "objects" / entry.path().filename());
  }
  lay_out("common.git");
  Write("oracle/common.git/commondir", (secret / ".git").string() + "\n");
  Write("oracle/common.git/objects/keep", "");
  for (const std::string name : {"alternates.git", "linked.git", "pack.git", "common.git"}) {
    const auto added = Run(kSourceAdd, {{"origin", "oracle/" + name}, {"kind", "git"}});
    ASSERT_FALSE(added.ok()) << name;
    const std::string& why = added.error().message;
    EXPECT_TRUE(why.find("outside") != std::string::npos ||
                why.find("it is not a git repository") != std::string::npos)
        << name << ": " << why;
  }
  // The user's own repository, named as such, is read as ever.
  EXPECT_TRUE(Run(kSourceAdd, {{"origin", "private"}, {"kind", "git"}}).ok());
  GitIn(secret, {"worktree", "add", "-q", (folder_.path() / "tree").string()});
  EXPECT_TRUE(Run(kSourceAdd, {{"origin", "tree"}, {"kind", "git"}}).ok());
}

}  // namespace
}  // namespace sibyl::engine
