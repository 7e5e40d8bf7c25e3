// SPDX-License-Identifier: Apache-2.0
#include "references/check.h"

#include <gtest/gtest.h>

#include "base/files/temporary_folder.h"
#include "git/test_git.h"
#include "references/rewrite.h"

namespace sibyl::references {
namespace {

constexpr std::string_view kCode =
    "fn first() {\n    one();\n}\n\nfn second() {\n    two();\n}\n\nfn third() {\n    "
    "three();\n}\n";

class Checked : public testing::Test {
 protected:
  CheckedDocument Check(const std::string& document = "doc.md", std::string_view at = {}) {
    const auto location = FindGitRepository(git_.folder());
    EXPECT_TRUE(location.ok() && *location);
    documents_ = Repository::Open(**location).value();
    code_ = Repository::Open(**location, at).value();
    auto checked = CheckDocuments({.documents = *documents_,
                                   .code = *code_,
                                   .paths = {document},
                                   .honours_pins = at.empty()});
    EXPECT_TRUE(checked.ok());
    return checked.ok() ? std::move(checked->front()) : CheckedDocument();
  }

  // The status of the only citation.
  std::string StatusNow(std::string_view at = {}) {
    const CheckedDocument document = Check("doc.md", at);
    if (document.references.size() != 1) {
      return std::to_string(document.references.size()) + " citations";
    }
    return std::string(StatusName(document.references[0].judged.status));
  }

  TemporaryFolder folder_;
  git::TestGit git_{folder_.path() / "repo"};
  std::unique_ptr<Repository> documents_;
  std::unique_ptr<Repository> code_;
};

TEST_F(Checked, HoldsWhereTheNameIs) {
  git_.Write("src/a.rs", kCode);
  git_.Write("doc.md", "`second` (`src/a.rs:5`) calls two.\n");
  git_.Commit();
  EXPECT_EQ(StatusNow(), "holds");
}

TEST_F(Checked, ALinkedWorkTreeIsARepository) {
  git_.Write("src/a.rs", kCode);
  git_.Write("doc.md", "`second` (`src/a.rs:1-2`) calls two.\n");
  git_.Commit();
  const std::filesystem::path linked = folder_.path() / "linked";
  git_.Run({"worktree", "add", "-q", linked.string()});
  const auto location = FindGitRepository(linked);
  ASSERT_TRUE(location.ok() && *location);
  const auto repository = Repository::Open(**location);
  ASSERT_TRUE(repository.ok()) << repository.error().message;
  const auto checked =
      CheckDocuments({.documents = **repository, .code = **repository, .paths = {"doc.md"}});
  ASSERT_TRUE(checked.ok());
  ASSERT_EQ(checked->front().references.size(), 1U);
  EXPECT_EQ(StatusName(checked->front().references[0].judged.status), "wrong");
}

TEST_F(Checked, DriftedWhereItHeldWhenItWasWritten) {
  git_.Write("src/a.rs", kCode);
  git_.Write("doc.md", "`second` (`src/a.rs:5-7`) calls two.\n");
  git_.Commit();
  git_.Write("src/a.rs", "// a\n// b\n// c\n// d\n// e\n// f\n" + std::string(kCode));
  git_.Commit();
  const CheckedDocument document = Check();
  ASSERT_EQ(document.references.size(), 1U);
  const Judged& judged = document.references[0].judged;
  EXPECT_EQ(judged.status, CitationStatus::kDrifted);
  ASSERT_TRUE(judged.suggestion.has_value());
  EXPECT_EQ(*judged.suggestion, (Target{.path = "src/a.rs", .lines = {11, 13}}));
  EXPECT_TRUE(judged.is_certain);
  EXPECT_EQ(ApplyEdits(document.text, CorrectNumbers(document)),
            "`second` (`src/a.rs:11-13`) calls two.\n");
}

TEST_F(Checked, DriftedSinceItsFirstAppearanceAlsoAfterTheLineWasReworded) {
  git_.Write("src/a.rs", kCode);
  git_.Write("doc.md", "`second` (`src/a.rs:5`) calls two.\n");
  git_.Commit();
  git_.Write("src/a.rs", "// a\n// b\n// c\n// d\n// e\n" + std::string(kCode));
  git_.Commit();
  git_.Write("doc.md", "The function `second` (`src/a.rs:5`) calls `two`.\n");
  git_.Commit();
  EXPECT_EQ(StatusNow(), "drifted");
}

TEST_F(Checked, WrongWhereItNeverHeld) {
  git_.Write("src/a.rs", kCode);
  git_.Write("doc.md", "`third` (`src/a.rs:2`) is last.\n");
  git_.Commit();
  EXPECT_EQ(StatusNow(), "wrong");
}

// Sixty lines that differ.
std::string Filler(std::string_view name) {
  std::string text;
  for (int line = 1; line <= 60; ++line) {
    text += "    " + std::string(name) + "_" + std::to_string(line) + "();\n";
  }
  return text;
}

TEST_F(Checked, WrongWhereTheWordsAreTogetherElsewhere) {
  git_.Write("src/cpu.rs", Filler("fill") + "fn tick() {\n    let word = fetch_next(pc);\n" +
                               "    let instruction = decode(word);\n}\n" + Filler("more"));
  git_.Write("doc.md",
             "It fetches and decodes an instruction on every tick (`src/cpu.rs:12-18`).\n");
  git_.Commit();
  EXPECT_EQ(StatusNow(), "wrong");
}

TEST_F(Checked, AWordOfTheLanguageAloneIsAClaim) {
  git_.Write("src/a.rs", Filler("fill") + "    run(\n        None,\n    );\n" + Filler("more"));
  git_.Write("doc.md", "The tape (hardcodes `None`, `src/a.rs:62`) is empty.\n");
  git_.Commit();
  EXPECT_EQ(StatusNow(), "holds");
  git_.Write("src/a.rs",
             Filler("fill") + Filler("new") + "    run(\n        tape,\n    );\n" + Filler("more"));
  git_.Commit();
  EXPECT_EQ(StatusNow(), "drifted");
}

TEST_F(Checked, AMessageIsFoundWithoutItsVariableEnd) {
  git_.Write("src/a.rs", Filler("fill") + "    fail(\"cannot read the answer: {error}\");\n");
  git_.Write("doc.md", "It says `cannot read the answer: no such file...` (`src/a.rs:12`).\n");
  git_.Commit();
  EXPECT_EQ(StatusNow(), "wrong");
}

TEST_F(Checked, SuggestsWhatMovedIntoAnotherFile) {
  const std::string_view function =
      "fn spawn_agent(\n    id: u32,\n    again: bool,\n) {\n    start(id);\n}\n";
  const std::string_view branch = "    if running.state == \"CRASHED\" {\n    }\n";
  git_.Write("src/a.rs", Filler("fill") + std::string(function) + std::string(branch));
  git_.Write("doc.md",
             "`spawn_agent` has `again` (`src/a.rs:63`).\n\n"
             "It asks `running.state == \"CRASHED\"` (`src/a.rs:67`).\n");
  git_.Commit();
  git_.Write("src/a.rs", Filler("fill") + Filler("more"));
  git_.Write("src/b.rs", Filler("other") + std::string(branch) + Filler("third") +
                             "fn spawn_agent(id: u32, once_more: bool) {\n}\n");
  git_.Commit();
  const CheckedDocument document = Check();
  ASSERT_EQ(document.references.size(), 2U);
  ASSERT_TRUE(document.references[0].judged.suggestion.has_value());
  EXPECT_EQ(*document.references[0].judged.suggestion,
            (Target{.path = "src/b.rs", .lines = {123, 123}}));
  ASSERT_TRUE(document.references[1].judged.suggestion.has_value());
  EXPECT_EQ(*document.references[1].judged.suggestion,
            (Target{.path = "src/b.rs", .lines = {61, 61}}));
}

TEST_F(Checked, SuggestsTheFunctionThatTheWordsDescribe) {
  const std::string_view functions =
      "fn pending() -> u32 {\n    count()\n}\n\nfn run_scheduler_round() {\n    resume();\n}\n";
  git_.Write("src/a.rs", Filler("fill") + std::string(functions));
  git_.Write("doc.md", "- Scheduler loop: `src/a.rs:62-66`\n");
  git_.Commit();
  git_.Write("src/a.rs", Filler("fill") + Filler("more") + std::string(functions));
  git_.Commit();
  const CheckedDocument document = Check();
  ASSERT_EQ(document.references.size(), 1U);
  ASSERT_TRUE(document.references[0].judged.suggestion.has_value());
  EXPECT_EQ(document.references[0].judged.suggestion->lines.first, 125U);
}

TEST_F(Checked, MissingWithItsNewName) {
  git_.Write("src/a.rs", kCode);
  git_.Write("doc.md", "`second` (`src/a.rs:5`).\n");
  git_.Commit();
  git_.Run({"mv", "src/a.rs", "src/b.rs"});
  git_.Commit();
  const CheckedDocument document = Check();
  ASSERT_EQ(document.references.size(), 1U);
  EXPECT_EQ(document.references[0].judged.status, CitationStatus::kMissing);
  ASSERT_TRUE(document.references[0].judged.suggestion.has_value());
  EXPECT_EQ(document.references[0].judged.suggestion->path, "src/b.rs");
}

TEST_F(Checked, UndecidedWhereGitIgnoresIt) {
  git_.Write(".gitignore", "private/\n");
  git_.Write("doc.md", "`run` (`private/run.py:5`).\n");
  git_.Commit();
  EXPECT_EQ(StatusNow(), "undecided");
}

TEST_F(Checked, OutOfRange) {
  git_.Write("src/a.rs", kCode);
  git_.Write("doc.md", "`second` (`src/a.rs:500`).\n");
  git_.Commit();
  EXPECT_EQ(StatusNow(), "out-of-range");
}

TEST_F(Checked, UndecidedWhereNothingIsClaimedOrSeveralFilesFit) {
  git_.Write("src/a.rs", kCode);
  git_.Write("doc.md", "Evidence: `src/a.rs:2`.\n");
  git_.Commit();
  EXPECT_EQ(StatusNow(), "undecided");
  git_.Write("lib/a.rs", kCode);
  git_.Write("doc.md", "`second` (`a.rs:5`).\n");
  git_.Commit();
  EXPECT_EQ(StatusNow(), "undecided");
}

TEST_F(Checked, TakesTheOnlyOneOfSeveralFilesThatFits) {
  git_.Write("src/a.rs", kCode);
  git_.Write("lib/a.rs", "// nothing\n");
  git_.Write("doc.md", "`second` (`a.rs:5`).\n");
  git_.Commit();
  EXPECT_EQ(StatusNow(), "holds");
}

TEST_F(Checked, TakesTheOnlyFileOfThatNameWhenItWasWritten) {
  git_.Write("src/a.rs", kCode);
  git_.Write("doc.md", "`second` (`a.rs:5`).\n");
  git_.Commit();
  git_.Write("lib/a.rs", kCode);
  git_.Commit();
  EXPECT_EQ(StatusNow(), "holds");
}

TEST_F(Checked, AFileThatNeverExistedIsMissingIfTheDocumentCitesOthersOfItsFolder) {
  git_.Write("src/a.rs", kCode);
  git_.Write("doc.md", "`second` (`src/a.rs:5`), `x` (`src/none.rs:3`), `src/foo.rs:1`.\n");
  git_.Commit();
  const CheckedDocument document = Check();
  ASSERT_EQ(document.references.size(), 2U);
  EXPECT_EQ(StatusName(document.references[1].judged.status), "missing");
  EXPECT_EQ(document.references[1].judged.reason, "src/none.rs does not exist");
}

TEST_F(Checked, FollowsTheLinesOfARenamedFile) {
  git_.Write("src/a.rs", kCode);
  git_.Write("doc.md", "`second` (`src/a.rs:5-7`) calls two.\n");
  git_.Commit();
  git_.Run({"mv", "src/a.rs", "src/b.rs"});
  git_.Write("src/b.rs", "// a\n// b\n" + std::string(kCode));
  git_.Commit();
  const CheckedDocument document = Check();
  ASSERT_EQ(document.references.size(), 1U);
  const Judged& judged = document.references[0].judged;
  EXPECT_EQ(StatusName(judged.status), "missing");
  ASSERT_TRUE(judged.suggestion);
  EXPECT_EQ(*judged.suggestion, (Target{"src/b.rs", {7, 9}}));
}

TEST_F(Checked, ALongRangeOfWhichNothingIsLeftHasDrifted) {
  std::string before;
  std::string after;
  for (int i = 0; i < 40; ++i) {
    before += "let before_" + std::to_string(i) + " = old_" + std::to_string(i) + ";\n";
    after += "call(later_" + std::to_string(i) + ", new_" + std::to_string(i) + ");\n";
  }
  git_.Write("src/a.rs", before);
  git_.Write("doc.md", "See `src/a.rs:5-25`.\n");
  git_.Commit();
  git_.Write("src/a.rs", after);
  git_.Commit();
  EXPECT_EQ(StatusNow(), "drifted");
}

TEST_F(Checked, OtherLinesOfTheSameFunctionAreNotTheOnesThatWereMeant) {
  std::string body;
  for (int i = 0; i < 40; ++i) body += "    step_" + std::to_string(i) + "();\n";
  git_.Write("src/a.rs", "fn long_one() {\n" + body + "}\n");
  git_.Write("doc.md", "`long_one` goes on (`src/a.rs:20-24`) there.\n");
  git_.Commit();
  EXPECT_EQ(StatusNow(), "holds");
  std::string more;
  for (int i = 0; i < 15; ++i) more += "    more_" + std::to_string(i) + "();\n";
  git_.Write("src/a.rs", "fn long_one() {\n" + more + body + "}\n");
  EXPECT_EQ(StatusNow(), "drifted");
}

TEST_F(Checked, LeavesOutFilesOfOtherProjects) {
  git_.Write("doc.md", "`main` (`other/project.c:12`).\n");
  git_.Commit();
  EXPECT_EQ(StatusNow(), "0 citations");
}

TEST_F(Checked, ComparesADocumentThatPinsACommitWithThatCommit) {
  git_.Write("src/a.rs", kCode);
  const std::string commit = git_.Commit();
  git_.Write("src/a.rs", "// a\n// b\n// c\n// d\n// e\n" + std::string(kCode));
  git_.Write("doc.md", "---\ncommit: " + commit + "\n---\n\n`second` (`src/a.rs:5`).\n");
  git_.Commit();
  EXPECT_EQ(StatusNow(), "holds");
  EXPECT_NE(StatusNow("HEAD"), "holds");
}

TEST_F(Checked, ComparesPermalinksWithTheirCommit) {
  git_.Write("src/a.rs", kCode);
  const std::string commit = git_.Commit();
  git_.Write("src/a.rs", "// a\n// b\n// c\n// d\n// e\n" + std::string(kCode));
  git_.Write("doc.md", "[second](https://github.com/o/r/blob/" + commit + "/src/a.rs#L5)\n");
  git_.Commit();
  EXPECT_EQ(StatusNow(), "holds");
  // Neither a commit of this repository nor an address of it.
  git_.Write("doc.md",
             "[x](https://github.com/o/r/blob/0123456789/src/a.rs#L5), "
             "[y](https://github.com/o/r/blob/main/src/a.rs#L5)\n");
  EXPECT_EQ(StatusNow(), "0 citations");
  git_.Run({"remote", "add", "origin", "git@github.com:o/r.git"});
  git_.Write("doc.md", "[second](https://github.com/o/r/blob/main/src/a.rs#L10)\n");
  EXPECT_EQ(StatusNow(), "holds");
}

TEST_F(Checked, DoesNotReadThroughLinksThatLeadOut) {
  git_.Write("../secret.rs", "fn second() {}\n");
  std::filesystem::create_symlink("../../secret.rs", git_.folder() / "link.rs");
  git_.Write("doc.md", "`second` (`link.rs:1`).\n");
  git_.Commit();
  EXPECT_EQ(StatusNow(), "undecided");
}

TEST(Rewrite, MakesAUnifiedDiff) {
  EXPECT_EQ(UnifiedDiff("a.md", "1\n2\n3\n4\n5\n", "1\n2\nx\n4\n5\n"),
            "--- a/a.md\n+++ b/a.md\n@@ -1,5 +1,5 @@\n 1\n 2\n-3\n+x\n 4\n 5\n");
  EXPECT_EQ(UnifiedDiff("a.md", "1", "2"),
            "--- a/a.md\n+++ b/a.md\n@@ -1,1 +1,1 @@\n-1\n\\ No newline at end of file\n+2\n"
            "\\ No newline at end of file\n");
  EXPECT_EQ(UnifiedDiff("a.md", "1\n", "1\n"), "");
}

TEST_F(Checked, DropsTheNumbersOfADurableCitation) {
  git_.Write("src/a.rs", kCode);
  git_.Write("doc.md", "`second` (`src/a.rs:5`) and [third](src/a.rs#L9).\n");
  const std::string commit = git_.Commit();
  const CheckedDocument document = Check();
  const std::string text = ApplyEdits(
      document.text,
      MakeDurable(document, *code_, {.origin = "https://github.com/o/r.git", .commit = commit}));
  EXPECT_EQ(text, "`second` (`src/a.rs`) and [third](https://github.com/o/r/blob/" + commit +
                      "/src/a.rs#L9).\n");
}

TEST_F(Checked, ATextThatIsNotOnTheDiskAndWithoutWritingACache) {
  git_.Write("src/a.rs", kCode);
  git_.Write("doc.md", "`second` (`src/a.rs:5`) calls two.\n");
  git_.Commit();
  const auto location = FindGitRepository(git_.folder());
  ASSERT_TRUE(location.ok() && *location);
  const std::unique_ptr<Repository> files = Repository::Open(**location).value();
  CheckMemory memory(*files);
  const auto status_of = [&](const std::string& text) {
    const std::map<std::string, std::string, std::less<>> texts = {{"doc.md", text}};
    const auto checked = CheckDocuments({.documents = *files,
                                         .code = *files,
                                         .paths = {"doc.md"},
                                         .cache = folder_.path() / "cache",
                                         .keeps_cache = false,
                                         .texts = &texts,
                                         .memory = &memory});
    return std::string(StatusName(checked.value().front().references.at(0).judged.status));
  };
  EXPECT_EQ(status_of("`third` (`src/a.rs:9`) is last.\n"), "holds");
  const std::shared_ptr<const RepositoryHistory> history = memory.history;
  EXPECT_NE(history, nullptr);
  EXPECT_EQ(status_of("`third` (`src/a.rs:1`) is last.\n"), "wrong");
  EXPECT_EQ(memory.history, history) << "read once";
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "cache"));
}

TEST_F(Checked, TheStampChangesWithTheFiles) {
  git_.Write("src/a.rs", kCode);
  const auto location = FindGitRepository(git_.folder());
  ASSERT_TRUE(location.ok() && *location);
  const auto stamp = [&] { return Repository::Open(**location).value()->stamp(); };
  const std::size_t before = stamp();
  EXPECT_EQ(stamp(), before);
  git_.Write("src/a.rs", std::string(kCode) + "// end\n");
  EXPECT_NE(stamp(), before);
}

}  // namespace
}  // namespace sibyl::references
