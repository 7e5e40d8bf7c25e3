// SPDX-License-Identifier: Apache-2.0
// Where cited lines went: earlier versions, ranges that are off, other files.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/temporary_folder.h"
#include "git/test_git.h"
#include "references/check.h"
#include "references/past/changed_since.h"

namespace sibyl::references {
namespace {

class EarlierFiles : public testing::Test {
 protected:
  static std::string Lines(int first, int last) {
    std::string text;
    for (int i = first; i <= last; ++i) text += "let v" + std::to_string(i) + " = 0;\n";
    return text;
  }

  static std::string WithFunction(int lines_before) {
    return Lines(1, lines_before) + "fn alpha_one() {\n    beta();\n}\n" + Lines(100, 140);
  }

  void Commit(std::string_view path, std::string_view text) {
    git_.Write(std::string(path), std::string(text));
    git_.Commit();
  }

  // "status path:first" of the only citation, and " now first", with "!" if certain.
  std::string Verdict(const std::string& document = "docs/z.md") {
    const auto location = FindGitRepository(git_.folder());
    EXPECT_TRUE(location.ok() && *location);
    code_ = Repository::Open(**location).value();
    const auto checked = CheckDocuments({.documents = *code_, .code = *code_, .paths = {document}});
    EXPECT_TRUE(checked.ok());
    if (!checked.ok() || checked->front().references.size() != 1) return "not one citation";
    const CheckedReference& one = checked->front().references[0];
    std::string text = std::string(StatusName(one.judged.status)) + " " + one.judged.target.path +
                       ":" + std::to_string(one.reference.lines.first);
    if (one.judged.suggestion) {
      text += " now " + std::to_string(one.judged.suggestion->lines.first) +
              (one.judged.is_certain ? "!" : "");
    }
    return text;
  }

  TemporaryFolder folder_;
  git::TestGit git_{folder_.path() / "repo"};
  std::unique_ptr<Repository> code_;
};

TEST_F(EarlierFiles, TellWhereLinesWentThatMovedBeforeTheCitation) {
  Commit("src/foo.rs", WithFunction(10));
  Commit("src/foo.rs", WithFunction(30));
  Commit("docs/z.md", "`alpha_one` (`src/foo.rs:11`)\n");
  EXPECT_EQ(Verdict(), "wrong src/foo.rs:11 now 31!");
}

TEST_F(EarlierFiles, AreFollowedThroughRenamesBeforeTheCitation) {
  Commit("src/foo.rs", WithFunction(10));
  git_.Run({"mv", "src/foo.rs", "src/bar.rs"});
  git_.Commit();
  Commit("docs/z.md", "The loop is in `src/foo.rs:11-13`.\n");
  Commit("src/bar.rs", WithFunction(30));
  EXPECT_EQ(Verdict(), "missing src/foo.rs:11 now 31");
}

TEST_F(EarlierFiles, ARangeWithTheWrongPartOfAFunctionHasDrifted) {
  std::string body = "fn alpha_one() {\n";
  for (int i = 0; i < 10; ++i) body += "    step(" + std::to_string(i) + ");\n";
  body += "}\n";
  Commit("src/foo.rs", Lines(1, 20) + body + Lines(100, 140));
  Commit("docs/z.md", "`alpha_one` (`src/foo.rs:21-32`)\n");
  Commit("src/foo.rs", Lines(1, 24) + body + Lines(100, 140));
  EXPECT_EQ(Verdict(), "drifted src/foo.rs:21 now 25!");
}

TEST_F(EarlierFiles, LinesThatTheFileDidNotHaveWereNeverRight) {
  Commit("src/foo.rs", WithFunction(10));
  Commit("docs/z.md", "- `src/foo.rs:200`\n");
  Commit("src/foo.rs", WithFunction(10) + Lines(200, 400));
  EXPECT_EQ(Verdict(), "wrong src/foo.rs:200");
}

TEST_F(EarlierFiles, AFileThatWasMovedHadAnotherNameWhenItWasCited) {
  Commit("v1/code.rs", WithFunction(10));
  Commit("docs/z.md", "| `v1/code.rs` | line 11 | `alpha_one` |\n");
  git_.Run({"rm", "-q", "v1/code.rs"});
  git_.Write("docs/z.md", "| `archive/v1/code.rs` | line 11 | `alpha_one` |\n");
  Commit("archive/v1/code.rs", WithFunction(40));
  EXPECT_EQ(Verdict(), "drifted archive/v1/code.rs:11 now 41!");
}

TEST_F(EarlierFiles, OfSeveralFilesTheOneThatHadTheNameIsMeant) {
  git_.Write("a/code.rs", Lines(1, 60));
  Commit("b/code.rs", WithFunction(10));
  Commit("docs/z.md", "`alpha_one` (`code.rs:11`)\n");
  Commit("b/code.rs", WithFunction(40));
  EXPECT_EQ(Verdict(), "drifted b/code.rs:11 now 41!");
}

TEST_F(EarlierFiles, AParameterIsALineOfItsFunction) {
  const std::string function =
      "fn alpha_one(\n    a: A,\n    b: B,\n    c: C,\n    d: D,\n) {\n}\n";
  Commit("code.rs", Lines(1, 10) + function + Lines(100, 140));
  Commit("docs/z.md", "`alpha_one` (`code.rs:15`)\n");
  Commit("code.rs", Lines(1, 40) + function + Lines(100, 140));
  EXPECT_EQ(Verdict(), "drifted code.rs:15 now 41");
}

TEST_F(EarlierFiles, OfSeveralFilesOfANameTheLongOneIsMeant) {
  Commit("a/config.py", Lines(1, 20));
  Commit("b/config.py", WithFunction(60));
  Commit("docs/z.md", "`alpha_one` is in `config.py:61`.\n");
  EXPECT_EQ(Verdict(), "holds b/config.py:61");
}

TEST_F(EarlierFiles, FoldersMayBeLeftOutOfAPath) {
  Commit("packages/relay/src/adapters/some-adapter.rs", WithFunction(10));
  Commit("docs/z.md", "`alpha_one` (relay/adapters/some-adapter.rs:11)\n");
  EXPECT_EQ(Verdict(), "holds packages/relay/src/adapters/some-adapter.rs:11");
}

TEST_F(EarlierFiles, ASymbolBeforeTheNumberNamesItsFile) {
  Commit("src/foo.rs", WithFunction(10));
  Commit("src/bar.rs", Lines(1, 20));
  Commit("docs/z.md", "In `src/bar.rs` see `alpha_one:11`.\n");
  EXPECT_EQ(Verdict(), "holds src/foo.rs:11");
}

TEST_F(EarlierFiles, ABareNumberDoesNotGoOnWithADocument) {
  Commit("notes.md", Lines(1, 5));
  Commit("docs/z.md", "As `notes.md` says, it is at `:30`.\n");
  EXPECT_EQ(Verdict(), "not one citation");
}

TEST_F(EarlierFiles, ALinkToADocumentIsThatDocument) {
  Commit("CLAUDE.md", "text\n");
  git_.Run({"config", "core.symlinks", "true"});
  std::filesystem::create_symlink("CLAUDE.md", git_.folder() / "AGENTS.md");
  git_.Commit();
  const auto location = FindGitRepository(git_.folder());
  code_ = Repository::Open(**location).value();
  EXPECT_EQ(DocumentsOf(*code_), std::vector<std::string>{"CLAUDE.md"});
  const git::ObjectId head = WherePartedFrom(*code_, "HEAD").value();
  EXPECT_FALSE(IsChangedSince(*code_, head, "CLAUDE.md"));
  EXPECT_FALSE(IsChangedSince(*code_, head, "new.md")) << "neither has it";
}

}  // namespace
}  // namespace sibyl::references
