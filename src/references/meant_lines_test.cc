// SPDX-License-Identifier: Apache-2.0
// Which file and which line a citation means: a name without folders, what a line began,
// a function without a file.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/files/temporary_folder.h"
#include "git/test_git.h"
#include "references/check.h"

namespace sibyl::references {
namespace {

class MeantLines : public testing::Test {
 protected:
  static std::string Lines(int first, int last) {
    std::string text;
    for (int i = first; i <= last; ++i) text += "let v" + std::to_string(i) + " = 0;\n";
    return text;
  }

  static std::string WithFunction(std::string_view name, int lines_before) {
    return Lines(1, lines_before) + "fn " + std::string(name) + "() {\n    beta();\n}\n" +
           Lines(100, 140);
  }

  void Commit(std::string_view path, std::string_view text) {
    git_.Write(std::string(path), text);
    git_.Commit();
  }

  // "status path:line" of the last citation of the document, and " now path:line".
  std::string Last() {
    const auto location = FindGitRepository(git_.folder());
    EXPECT_TRUE(location.ok() && *location);
    code_ = Repository::Open(**location).value();
    const auto checked =
        CheckDocuments({.documents = *code_, .code = *code_, .paths = {"docs/z.md"}});
    EXPECT_TRUE(checked.ok());
    if (!checked.ok() || checked->front().references.empty()) return "no citation";
    const CheckedReference& one = checked->front().references.back();
    const auto place = [](const Target& target) {
      return target.path + ":" + std::to_string(target.lines.first);
    };
    return std::string(StatusName(one.judged.status)) + " " + place(one.judged.target) +
           (one.judged.suggestion ? " now " + place(*one.judged.suggestion) : "");
  }

  TemporaryFolder folder_;
  git::TestGit git_{folder_.path() / "repo"};
  std::unique_ptr<Repository> code_;
};

TEST_F(MeantLines, ANameWithoutFoldersMeansThePathThatWasNamedBefore) {
  git_.Write("a/emit.rs", WithFunction("alpha_one", 10));
  git_.Write("b/emit.rs", WithFunction("gamma_two", 20));
  Commit("docs/z.md", "`alpha_one` is at `a/emit.rs:11`.\n\nThe call is at `emit.rs:12`.\n");
  git_.Run({"rm", "-q", "a/emit.rs"});
  git_.Commit();
  EXPECT_EQ(Last(), "missing a/emit.rs:12");
}

TEST_F(MeantLines, ANameWithoutFoldersMeansTheFileThatHadTheClaim) {
  git_.Write("a/emit.rs", WithFunction("alpha_one", 10));
  git_.Write("b/emit.rs", WithFunction("gamma_two", 20));
  Commit("docs/z.md", "`alpha_one` is at `emit.rs:11`.\n");
  EXPECT_EQ(Last(), "holds a/emit.rs:11");
  git_.Run({"rm", "-q", "a/emit.rs"});
  git_.Commit();
  EXPECT_EQ(Last(), "missing a/emit.rs:11");
}

TEST_F(MeantLines, OfSeveralPathsTheLastOneOfTheSectionIsMeant) {
  git_.Write("a/emit.rs", WithFunction("alpha_one", 10));
  git_.Write("b/emit.rs", WithFunction("alpha_one", 20));
  const std::string other = "# One\n\n`alpha_one` (`b/emit.rs:21`)\n\n";
  Commit("docs/z.md", other + "# Two\n\n`alpha_one` (`a/emit.rs:11`)\n\n- `emit.rs:11` again\n");
  EXPECT_EQ(Last(), "undecided a/emit.rs:11");
}

TEST_F(MeantLines, ACallBesideALineIsOfTheFileThatDefinesIt) {
  git_.Write("src/a.rs", WithFunction("alpha_one", 10));
  git_.Write("src/b.rs", WithFunction("gamma_two", 20));
  const std::string text = "- Modify: `src/a.rs`\n- Called by `";
  Commit("docs/z.md", text + "gamma_two()` (line 21)\n");
  EXPECT_EQ(Last(), "holds src/b.rs:21");
  Commit("docs/z.md", text + "delta_six()` (line 21)\n");
  EXPECT_EQ(Last(), "no citation");
}

TEST_F(MeantLines, AFunctionOfTheFileConfirmsTheGuess) {
  git_.Write("src/a.rs", WithFunction("alpha_one", 10));
  const std::string text = "- Modify: `src/a.rs`\n- The `x = made_up(y)` block of `";
  Commit("docs/z.md", text + "alpha_one` at line 12\n");
  EXPECT_NE(Last(), "no citation");
  Commit("docs/z.md", text + "gamma_two` at line 12\n");
  EXPECT_EQ(Last(), "no citation");
}

TEST_F(MeantLines, WhatALineBeganIsWhatItMeans) {
  Commit("src/a.rs", WithFunction("alpha_one", 20));
  Commit("docs/z.md", "It goes through `alpha_one`\n(`src/a.rs:21`) and `v19`.\n");
  EXPECT_EQ(Last(), "holds src/a.rs:21");
  Commit("src/a.rs", Lines(1, 20) + "/// One.\n/// Two.\n/// Three.\nfn alpha_one() {\n" +
                         "    beta();\n}\n" + Lines(100, 140));
  EXPECT_EQ(Last(), "drifted src/a.rs:21 now src/a.rs:24");
}

TEST_F(MeantLines, ADefinitionThatLeftTheFileIsNotWhereItIsImported) {
  git_.Write("src/util.ts", Lines(1, 5));
  Commit("src/a.ts", Lines(1, 20) + "async function alphaOne(\n  a: string,\n) {\n  beta();\n}\n" +
                         Lines(100, 140));
  Commit("docs/z.md", "`alphaOne()` is in `src/a.ts:21-25`.\n");
  EXPECT_EQ(Last(), "holds src/a.ts:21");
  git_.Write("src/util.ts", Lines(1, 5) + "export async function alphaOne(\n  b: number,\n) {\n" +
                                "  gamma();\n}\n");
  Commit("src/a.ts",
         "import {\n  alphaOne,\n} from \"./util\";\n" + Lines(1, 20) + Lines(100, 140));
  EXPECT_EQ(Last(), "drifted src/a.ts:21 now src/util.ts:6");
}

TEST_F(MeantLines, UnchangedLinesHoldAlthoughTheNameBesideThemMoved) {
  const std::string list = "// codes:\n//   ONE_A,\n//   TWO_B,\n//   SIX_C.\n";
  Commit("src/a.rs", Lines(1, 10) + list + "//\n// see alpha_one\n" + Lines(100, 140));
  Commit("docs/z.md", "The codes of `alpha_one` are in `src/a.rs:11-14`.\n");
  EXPECT_EQ(Last(), "holds src/a.rs:11");
  Commit("src/a.rs",
         Lines(1, 10) + list + "//   SEVEN_D.\n//\n//\n// see alpha_one\n" + Lines(100, 140));
  EXPECT_EQ(Last(), "holds src/a.rs:11");
}

}  // namespace
}  // namespace sibyl::references
