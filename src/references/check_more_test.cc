// SPDX-License-Identifier: Apache-2.0
// What is reported and what is not, on small repositories.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/files/temporary_folder.h"
#include "git/test_git.h"
#include "references/check.h"
#include "references/rewrite.h"

namespace sibyl::references {
namespace {

class CheckedMore : public testing::Test {
 protected:
  CheckedMore() {
    git_.Write("src/foo.rs", Lines(1, 40) + "fn alpha_one() {\n    beta();\n}\n" + Lines(50, 90));
    git_.Write(".gitignore", "repo\nout/\nnode_modules/\n");
  }

  static std::string Lines(int first, int last) {
    std::string text;
    for (int i = first; i <= last; ++i) text += "let v" + std::to_string(i) + " = 0;\n";
    return text;
  }

  CheckedDocument CheckText(std::string_view text, bool honours_pins = true) {
    git_.Write("docs/z.md", text);
    git_.Commit();
    return Check(honours_pins);
  }

  CheckedDocument Check(bool honours_pins = true) {
    const auto location = FindGitRepository(git_.folder());
    EXPECT_TRUE(location.ok() && *location);
    code_ = Repository::Open(**location).value();
    auto checked = CheckDocuments({.documents = *code_,
                                   .code = *code_,
                                   .paths = {"docs/z.md"},
                                   .honours_pins = honours_pins,
                                   .cache = folder_.path() / "cache"});
    EXPECT_TRUE(checked.ok());
    return checked.ok() ? std::move(checked->front()) : CheckedDocument();
  }

  // "status path" of the only citation.
  std::string Verdict(std::string_view text) {
    const CheckedDocument document = CheckText(text);
    if (document.references.size() != 1) {
      return std::to_string(document.references.size()) + " citations";
    }
    const Judged& judged = document.references[0].judged;
    return std::string(StatusName(judged.status)) + " " + judged.target.path +
           (judged.suggestion ? " now " + judged.suggestion->path : "");
  }

  TemporaryFolder folder_;
  git::TestGit git_{folder_.path() / "repo"};
  std::unique_ptr<Repository> code_;
};

TEST_F(CheckedMore, APathWithATypoIsMissingWithTheNearestFile) {
  EXPECT_EQ(Verdict("`alpha_one` in `src/fooo.rs:17`\n"), "missing src/fooo.rs now src/foo.rs");
  EXPECT_EQ(Verdict("`alpha_one` in `src/Foo.rs:17`\n"), "missing src/Foo.rs now src/foo.rs");
  EXPECT_EQ(Verdict("`main` in `lib/server.c:17` of that project\n"), "0 citations");
}

TEST_F(CheckedMore, ANumberMayBeOfTheFileThatAnEarlierItemCites) {
  const std::string items = "# Task\n\n- In `src/foo.rs`, `v3` (line 3) stays.\n- ";
  EXPECT_EQ(CheckText(items + "Then `alpha_one` (line 41)\n").references.size(), 2U);
  EXPECT_EQ(CheckText(items + "Then `gamma` (line 41)\n").references.size(), 1U);
}

TEST_F(CheckedMore, AnApproximateLineIsAFewLinesAway) {
  EXPECT_EQ(Verdict("`alpha_one` in `src/foo.rs` (~line 34)\n"), "holds src/foo.rs");
  EXPECT_EQ(Verdict("`alpha_one` in `src/foo.rs` (line 34)\n"), "wrong src/foo.rs now src/foo.rs");
}

TEST_F(CheckedMore, AnApproximateLineThatIsFarAwayNowHasDrifted) {
  git_.Write("src/bar.rs", Lines(1, 20) + "fn alpha_two() {}\n" + Lines(21, 60));
  EXPECT_EQ(Verdict("`alpha_two` in `src/bar.rs` (~line 21)\n"), "holds src/bar.rs");
  git_.Write("src/bar.rs", Lines(1, 22) + "let x = alpha_two();\n" + Lines(100, 140) +
                               Lines(1, 20) + "fn alpha_two() {}\n" + Lines(21, 60));
  EXPECT_EQ(Verdict("`alpha_two` in `src/bar.rs` (~line 21)\n"),
            "drifted src/bar.rs now src/bar.rs");
}

TEST_F(CheckedMore, LinesAFewLinesAwayOfWhichNothingIsClaimedAreUndecided) {
  EXPECT_EQ(Verdict("See `src/foo.rs:42`.\n"), "undecided src/foo.rs");
  git_.Write("src/foo.rs", "// 1\n// 2\n// 3\n" + Lines(1, 40) +
                               "fn alpha_one() {\n    beta();\n}\n" + Lines(50, 90));
  EXPECT_EQ(Verdict("See `src/foo.rs:42`.\n"), "undecided src/foo.rs");
}

TEST_F(CheckedMore, WhatTheLinesNoLongerHaveHasDrifted) {
  git_.Write("src/bar.rs", Lines(1, 20) + "let gone = make_gone();\n" + Lines(21, 40));
  EXPECT_EQ(Verdict("`make_gone` in `src/bar.rs:21`\n"), "holds src/bar.rs");
  git_.Write("src/bar.rs", Lines(1, 20) + "let here = other();\n" + Lines(21, 40));
  EXPECT_EQ(Verdict("`make_gone` in `src/bar.rs:21`\n"), "drifted src/bar.rs");
}

TEST_F(CheckedMore, ARelativeLinkToNoFileIsMissing) {
  EXPECT_EQ(Verdict("See [x](../src/fooo.rs#L17).\n"), "missing src/fooo.rs now src/foo.rs");
  EXPECT_EQ(Verdict("See [x](../lib/server.rs#L17).\n"), "missing lib/server.rs");
}

TEST_F(CheckedMore, ANameThatIsNowhereInTheRepositoryIsWrong) {
  EXPECT_EQ(Verdict("`does_not_exist()` at `src/foo.rs:17`\n"), "wrong src/foo.rs");
  EXPECT_EQ(Verdict("never calls `does_not_exist()` at `src/foo.rs:17`\n"), "undecided src/foo.rs");
  git_.Write("src/bar.rs", "fn does_not_exist() {}\n");
  EXPECT_EQ(Verdict("`does_not_exist()` at `src/foo.rs:18`\n"), "undecided src/foo.rs");
}

TEST_F(CheckedMore, ThePathMayStartWithTheNameOfTheRepository) {
  EXPECT_EQ(Verdict("`alpha_one` is at `repo/src/foo.rs:41`.\n"), "holds src/foo.rs");
  git_.Run({"remote", "add", "origin", "https://example.org/me/app.git"});
  EXPECT_EQ(Verdict("`alpha_one` is at `app/src/foo.rs:41`.\n"), "holds src/foo.rs");
}

TEST_F(CheckedMore, IgnoredFilesAreUndecided) {
  EXPECT_EQ(Verdict("See `out/a.rs:3`.\n"), "undecided out/a.rs");
  git_.Write("out/a.rs", "a\nb\nc\n");
  EXPECT_EQ(Check().references[0].judged.status, CitationStatus::kUndecided);
  EXPECT_EQ(Verdict("See `node_modules/x/a.ts:3`.\n"), "undecided node_modules/x/a.ts");
}

TEST_F(CheckedMore, ImpossibleLinesAreOutOfRange) {
  for (const std::string_view lines : {"0", "20-10", "1-99999999999", "10000000"}) {
    EXPECT_TRUE(Verdict("`alpha_one` is at `src/foo.rs:" + std::string(lines) + "`.\n")
                    .starts_with("out-of-range src/foo.rs"))
        << lines;
  }
}

TEST_F(CheckedMore, WhatHeldAtThePinnedCommitHasDrifted) {
  const std::string pinned = git_.Commit();
  git_.Write("src/foo.rs", Lines(200, 230) + std::string("fn alpha_one() {\n    beta();\n}\n"));
  const CheckedDocument document =
      CheckText("---\ncommit: " + pinned + "\n---\n\n`alpha_one` is at `src/foo.rs:41`.\n", false);
  ASSERT_EQ(document.references.size(), 1U);
  // The file is shorter now.
  EXPECT_TRUE(IsNotOk(document.references[0].judged.status));
  git_.Write("src/foo.rs", Lines(200, 280) + std::string("fn alpha_one() {\n    beta();\n}\n"));
  git_.Commit();
  const CheckedDocument later = Check(false);
  EXPECT_EQ(StatusName(later.references[0].judged.status), "drifted");
  ASSERT_TRUE(later.references[0].judged.suggestion);
  EXPECT_EQ(later.references[0].judged.suggestion->lines.first, 82U);
}

TEST_F(CheckedMore, AnUnknownPinnedCommitIsSaid) {
  const std::string text = "---\ncommit: 1234567890\n---\n\n`alpha_one` is at `src/foo.rs:41`.\n";
  EXPECT_EQ(CheckText(text).unknown_commit, "1234567890");
  // Also when the verdicts are kept.
  EXPECT_EQ(Check().unknown_commit, "1234567890");
}

TEST_F(CheckedMore, ALimitThatLeavesCitationsOutIsSaid) {
  std::string list = "See `src/foo.rs:1";
  for (int i = 2; i < 1'100; ++i) list += "," + std::to_string(i);
  EXPECT_FALSE(CheckText(list + "`.\n").left_out.empty());
  EXPECT_FALSE(Check().left_out.empty());
  EXPECT_TRUE(CheckText("See `src/foo.rs:1,2`.\n").left_out.empty());
}

TEST_F(CheckedMore, AListIsCorrectedAsAWholeOrNotAtAll) {
  git_.Write("src/foo.rs", Lines(1, 9) + "fn alpha_one() {\n    beta();\n}\n" + Lines(50, 90));
  const std::string text = "`alpha_one` and the rest are at `src/foo.rs:10,30`.\n";
  CheckText(text);
  git_.Write("src/foo.rs", Lines(100, 160) + Lines(1, 9) + "fn alpha_one() {\n    beta();\n}\n" +
                               Lines(900, 940));
  git_.Commit();
  const CheckedDocument document = Check();
  EXPECT_EQ(ApplyEdits(document.text, CorrectNumbers(document)), text);
}

// Found by a stranger: `src/vm.cc:19,20` became `src/vm.cc:24,24`.
TEST_F(CheckedMore, NumbersOfAListStayDifferent) {
  CheckText("`alpha_one` is at `src/foo.rs:41,42`.\n");
  git_.Write("src/foo.rs", Lines(1, 45) + "fn alpha_one() {\n    beta();\n}\n" + Lines(50, 90));
  git_.Commit();
  const CheckedDocument document = Check();
  const std::string fixed =
      ApplyEdits("`alpha_one` is at `src/foo.rs:41,42`.\n", CorrectNumbers(document));
  EXPECT_EQ(fixed.find("46,46"), std::string::npos) << fixed;
}

TEST_F(CheckedMore, ACommitThatTheTextNamesCounts) {
  const std::string named = git_.Commit();
  git_.Write("src/foo.rs", Lines(200, 280) + std::string("fn alpha_one() {\n    beta();\n}\n"));
  git_.Commit();
  git_.Write("src/other.rs", "1\n");
  git_.Commit();
  EXPECT_EQ(Verdict("`alpha_one` is at `src/foo.rs:41`.\n"), "wrong src/foo.rs now src/foo.rs");
  EXPECT_EQ(Verdict("As of commit `" + named + "`.\n\n`alpha_one` is at `src/foo.rs:41`.\n"),
            "drifted src/foo.rs now src/foo.rs");
}

TEST_F(CheckedMore, RecordsAreNotCorrected) {
  CheckedDocument document = CheckText("`alpha_one` is at `src/foo.rs:41`.\n");
  EXPECT_FALSE(document.is_record);
  git_.Write("src/foo.rs",
             Lines(200, 280) + Lines(1, 40) + "fn alpha_one() {\n    beta();\n}\n" + Lines(50, 90));
  git_.Commit();
  document = Check();
  EXPECT_EQ(CorrectNumbers(document).size(), 1U);
  document.is_record = true;
  EXPECT_TRUE(CorrectNumbers(document).empty());
}

TEST_F(CheckedMore, WhatTheCloneLacksIsNotDecided) {
  const std::string text = "`alpha_one` is at `src/foo.rs:41`.\n";
  git_.Write("src/foo.rs", Lines(200, 280) + std::string("fn alpha_one() {\n    beta();\n}\n"));
  EXPECT_EQ(Verdict(text), "wrong src/foo.rs now src/foo.rs");
  git_.Write("src/foo.rs", Lines(300, 390) + std::string("fn alpha_one() {\n    beta();\n}\n"));
  git_.Commit();
  const std::string before = git_.Run({"rev-parse", "HEAD~1:src/foo.rs"});
  std::filesystem::remove(git_.folder() / ".git/objects" / before.substr(0, 2) / before.substr(2));
  EXPECT_EQ(StatusName(Check().references[0].judged.status), "undecided");
}

}  // namespace
}  // namespace sibyl::references
