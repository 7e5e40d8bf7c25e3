// SPDX-License-Identifier: Apache-2.0
// Citations that were written for an earlier commit than the one that brought them,
// or corrected since.
#include "references/past/base_commit.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/files/temporary_folder.h"
#include "git/test_git.h"
#include "references/check.h"

namespace sibyl::references {
namespace {

class WrittenFor : public testing::Test {
 protected:
  // Three functions with a line between them, after so many other lines.
  static std::string Functions(int lines_before) {
    std::string text;
    for (int i = 0; i < lines_before; ++i) text += "let v" + std::to_string(i) + " = 0;\n";
    for (const std::string name : {"first_one", "second_one", "third_one"}) {
      text += "fn " + name + "() {\n    call_" + name + "();\n}\n";
    }
    return text;
  }

  void Commit(const std::string& path, const std::string& text) {
    git_.Write(path, text);
    git_.Commit();
  }

  // "status:first now first" of each citation.
  std::string Verdicts() {
    const auto location = FindGitRepository(git_.folder());
    EXPECT_TRUE(location.ok() && *location);
    code_ = Repository::Open(**location).value();
    const auto checked = CheckDocuments({.documents = *code_,
                                         .code = *code_,
                                         .paths = {"docs/z.md"},
                                         .cache = folder_.path() / "cache"});
    EXPECT_TRUE(checked.ok());
    std::string all;
    for (const CheckedReference& one : checked->front().references) {
      all += std::string(StatusName(one.judged.status)) + ":" +
             std::to_string(one.reference.lines.first);
      if (one.judged.suggestion) {
        all += " now " + std::to_string(one.judged.suggestion->lines.first);
      }
      all += "\n";
    }
    return all;
  }

  TemporaryFolder folder_;
  git::TestGit git_{folder_.path() / "repo"};
  std::unique_ptr<Repository> code_;
};

constexpr std::string_view kThree =
    "- `first_one` is at `src/a.rs:31`\n"
    "- `second_one` is at `src/a.rs:34`\n"
    "- what follows is at `src/a.rs:37`\n";

TEST_F(WrittenFor, TheCitationsOfADocumentFindItsCommitTogether) {
  Commit("src/a.rs", Functions(30));
  Commit("src/a.rs", Functions(80));
  Commit("docs/z.md", std::string(kThree));
  // They are followed from where they held. When the text came they no longer did; the third
  // one claims nothing.
  EXPECT_EQ(Verdicts(), "wrong:31 now 81\nwrong:34 now 84\ndrifted:37 now 87\n");
}

TEST_F(WrittenFor, WhatHeldInTheFirstParentHasDrifted) {
  Commit("src/a.rs", Functions(30));
  git_.Write("src/a.rs", Functions(80));
  Commit("docs/z.md", std::string(kThree));
  EXPECT_EQ(Verdicts(), "drifted:31 now 81\ndrifted:34 now 84\ndrifted:37 now 87\n");
}

TEST_F(WrittenFor, NothingIsSuggestedForACommentInsideOfWhatIsClaimed) {
  const std::string body =
      "fn load_all() {\n    one();\n    two();\n    three();\n    // the fourth step\n    "
      "four();\n}\n";
  Commit("src/a.rs", body + Functions(30));
  Commit("docs/z.md", "`load_all` (`src/a.rs:5`)\n");
  Commit("src/a.rs", Functions(60) + body);
  EXPECT_EQ(Verdicts(), "drifted:5\n");
}

TEST_F(WrittenFor, NothingIsSuggestedForANameThatIsFarFromItsNumber) {
  const std::string lines = "let limit = 1;\nread_limit();\nlet more = 2;\n";
  Commit("src/a.rs", Functions(30) + lines);
  Commit("docs/z.md", "`read_limit` is what the loop asks for `scratch_size`, at `src/a.rs:42`\n");
  Commit("src/a.rs", Functions(60) + lines + Functions(9) + "fn scratch_size() {\n}\n");
  EXPECT_EQ(Verdicts(), "drifted:42\n");
}

TEST_F(WrittenFor, ACommitThatFitsNoBetterIsNotTaken) {
  Commit("src/a.rs", Functions(30));
  Commit("src/a.rs", Functions(31));
  Commit("docs/z.md", "- `first_one` is at `src/a.rs:32`\n- `second_one` is at `src/a.rs:35`\n");
  EXPECT_EQ(Verdicts(), "holds:32\nholds:35\n");
}

TEST_F(WrittenFor, ANumberThatWasCorrectedWasWrittenWhereItWasCorrected) {
  // Line 34 was cited before, for another function and by the same words.
  Commit("src/a.rs", Functions(30));
  Commit("docs/z.md", "the call in `third_one` is at `src/a.rs:37`\n");
  Commit("src/a.rs", Functions(50));
  Commit("docs/z.md", "the call in `third_one` is at `src/a.rs:57`\n");
  Commit("src/a.rs", Functions(70));
  EXPECT_EQ(Verdicts(), "drifted:57 now 77\n");
}

TEST_F(WrittenFor, AChangedLineIsFollowedByItsWords) {
  Commit("src/a.rs", Functions(30) + "let limit = read_limit(path, 10);\nfn last() {\n}\n");
  Commit("docs/z.md", "the `read_limit` call (`src/a.rs:40`)\n");
  Commit("src/a.rs", Functions(60) + "let limit = read_limit(path, 20);\nfn last() {\n}\n");
  EXPECT_EQ(Verdicts(), "drifted:40 now 70\n");
}

TEST_F(WrittenFor, AUseIsFollowedToItsPlaceAndNotToTheDefinition) {
  Commit("src/a.rs", Functions(30) + "fn user() {\n    first_one();\n}\n");
  Commit("docs/z.md", "`first_one` is called at `src/a.rs:41`\n");
  Commit("src/a.rs", Functions(60) + "fn user() {\n    other();\n    third();\n}\n");
  EXPECT_EQ(Verdicts(), "drifted:41\n");  // what was cited is gone
  Commit("src/a.rs", Functions(60) + "fn user() {\n    first_one();\n    third();\n}\n");
  EXPECT_EQ(Verdicts(), "drifted:41 now 71\n");
}

}  // namespace
}  // namespace sibyl::references
