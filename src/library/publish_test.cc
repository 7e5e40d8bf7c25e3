// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "library/library.h"
#include "library/plan_folder.h"
#include "library/test_oracle.h"

namespace sibyl::library {
namespace {

namespace fs = std::filesystem;

class PublishTest : public testing::Test {
 protected:
  Published MustPublish(const Publication& publication) {
    Result<Published> published = Publish(publication, oracle_.options());
    EXPECT_TRUE(published.ok()) << published.error().message;
    return published.ok() ? *std::move(published) : Published{};
  }
  Error MustRefuse(const Publication& publication) {
    const auto before = oracle_.Everything();
    const Result<Published> published = Publish(publication, oracle_.options());
    EXPECT_FALSE(published.ok());
    EXPECT_EQ(oracle_.Everything(), before) << "refused, and yet something was touched";
    return published.ok() ? Error{} : published.error();
  }

  TestOracle oracle_;
};

TEST_F(PublishTest, WritesFilesDropsMarksPagesAndOneCommit) {
  const Published published = MustPublish(TestPublication());
  EXPECT_EQ(oracle_.Read("gadget/01-profiler.md"),
            TestPublication().delivered[0].file.draft().text);
  EXPECT_EQ(published.plan_now, kTestPlanPath) << "a part failed: the plan stays";
  EXPECT_EQ(published.files.at(0).drop,
            "_ingest-auto/expansion-gadget-2026-11-15/KNOWLEDGE-DROP-profiler-2026-11-15.md");
  EXPECT_EQ(oracle_.Read(published.files.at(0).drop),
            R"(# KNOWLEDGE DROP: How Gadget finds its profiler

- **Runner**: PART 1, writer extract
- **Time**: 2026-11-15 09:05 UTC
- **Status**: delivered, with open points
- **File**: [gadget/01-profiler.md](../../gadget/01-profiler.md), 14 lines, 1 citations
- **Coverage**: 1 of 2 points

## Sources used

| source | pin | citations | origin |
| --- | --- | ---: | --- |
| gadget | 4f2a91c | 1 | https://example.org/gadget |

## Covered

| planned | covered by |
| --- | --- |
| Order | 1.1 |

## Not found

- Windows &lt;!-- sibyl:end files --\> \| differences (Detection): cmake/Toolchain.cmake:12
)");
  EXPECT_NE(oracle_
                .Read("_ingest-auto/expansion-gadget-2026-11-15/"
                      "KNOWLEDGE-DROP-graphs-2026-11-15.md")
                .find("- **Status**: failed\n- **Wanted**: cuda/03-graphs.md\n- **Reason**: no "
                      "passage above the threshold\n"),
            std::string::npos);

  std::string plan(kTestPlan);
  const auto replace = [&plan](std::string_view what, std::string_view with) {
    plan.replace(plan.find(what), what.size(), with);
  };
  replace("- [ ] PART 1: Create gadget/01-profiler.md",
          "- [x] PART 1: Create gadget/01-profiler.md (Completed 2026-11-15 09:05)");
  replace("- [ ] PART 2: Create cuda/02-streams.md",
          "- [x] PART 2: Create cuda/02-streams.md (Completed 2026-11-15 09:05)");
  replace("- [ ] PART 3: Create cuda/03-graphs.md",
          "- [/] PART 3: Create cuda/03-graphs.md (Failed 2026-11-15 09:05: no passage above the "
          "threshold)");
  EXPECT_EQ(oracle_.Read(std::string(kTestPlanPath)), plan);

  EXPECT_EQ(published.commit, oracle_.Git({"rev-parse", "HEAD"}));
  EXPECT_EQ(oracle_.Git({"rev-list", "--count", "HEAD"}), "2");
  EXPECT_EQ(oracle_.Git({"log", "-1", "--format=%an <%ae> %ad %cd"}),
            "Ada <ada@example.org> Sun Nov 15 09:05:00 2026 +0000 Sun Nov 15 09:05:00 2026 +0000");
  EXPECT_EQ(oracle_.Git({"log", "-1", "--format=%B"}),
            "expand: 2 files, 28 lines, 2 citations, 2 of 4 points; 1 part failed\n\n"
            "Plan: _ingest-auto/expansion-gadget-2026-11-15/ingestion.md\n"
            "- PART 1: gadget/01-profiler.md: 14 lines, 1 citation, 1 of 2 points\n"
            "- PART 2: cuda/02-streams.md: 14 lines, 1 citation, 1 of 2 points\n"
            "- PART 3: failed: no passage above the threshold\n\n"
            "Sibyl-Publication: " +
                published.id);
  EXPECT_EQ(oracle_.Git({"status", "--porcelain"}), "");
}

TEST_F(PublishTest, KeepsEveryByteAroundTheManagedBlocks) {
  MustPublish(TestPublication());
  const std::string index = oracle_.Read("cuda/INDEX.md");
  const std::string person(kPersonsIndex);
  const std::string head = person.substr(0, person.find("old\r\n"));
  const std::string tail = person.substr(person.find("<!-- sibyl:end"));
  EXPECT_TRUE(index.starts_with(head));
  EXPECT_TRUE(index.ends_with(tail));
  EXPECT_EQ(index.substr(head.size(), index.size() - head.size() - tail.size()),
            "**2 files**, 21 lines, 1 citations; last updated 2026-11-15\r\n\r\n"
            "| no. | file | what it answers | keywords | lines | citations | last updated |\r\n"
            "| ---: | --- | --- | --- | ---: | ---: | --- |\r\n"
            "| 00 | [By hand](00-old.md) | Warps | warp | 7 | 0 | 2025-11-21 |\r\n"
            "| 02 | [Streams](02-streams.md) | Detection | profiler, PROF\\_LIBRARY | 14 | 1 | "
            "2026-11-15 |\r\n\r\n"
            "**Quick navigation**\r\n\r\n"
            "- **By hand**: [Warps](00-old.md#warps)\r\n"
            "- **Streams**: [Detection](02-streams.md#1-detection)\r\n");
  const std::string skill = oracle_.Read("SKILL.md");
  EXPECT_TRUE(skill.starts_with("---\nname: gpu-oracle\ndescription: ")) << skill;
  EXPECT_NE(skill.find("| [cuda](cuda/INDEX.md) | 2 | 21 | 1 | By hand; Streams |"),
            std::string::npos)
      << skill;
  EXPECT_NE(skill.find("| [gadget](gadget/INDEX.md) | 1 |"), std::string::npos) << skill;
}

TEST_F(PublishTest, CommitsForAUserWhoNeverToldGitAName) {
  oracle_.Git({"config", "user.name", ""});
  (void)MustPublish(TestPublication(Part3::kDelivered));
  EXPECT_EQ(oracle_.Git({"log", "-1", "--format=%an <%ae>"}), "sibyl <sibyl@localhost>");
}

TEST_F(PublishTest, MovesThePlansFolderWhenAllOfItIsDone) {
  const Published published = MustPublish(TestPublication(Part3::kDelivered));
  const std::string folder = "_ingest-auto/completed/expansion-gadget-2026-11-15";
  EXPECT_EQ(published.plan_now, folder + "/ingestion.md");
  EXPECT_FALSE(oracle_.Has("_ingest-auto/expansion-gadget-2026-11-15"));
  EXPECT_EQ(oracle_.Read(folder + "/notes.txt"), "of the user\n");
  EXPECT_NE(oracle_.Read(published.files.at(0).drop).find("](../../../gadget/01-profiler.md)"),
            std::string::npos);
  EXPECT_EQ(oracle_.Git({"status", "--porcelain"}), "");
  EXPECT_EQ(oracle_.Git({"rev-list", "--count", "HEAD"}), "2");
  EXPECT_NE(oracle_.Git({"log", "-1", "--format=", "--name-status", "-M"})
                .find("R100\t_ingest-auto/expansion-gadget-2026-11-15/notes.txt\t" + folder +
                      "/notes.txt"),
            std::string::npos);
}

// Issue 22: links of drops that were written before the plan was done led nowhere.
TEST_F(PublishTest, LinksOfEarlierDropsMoveWithTheirFolder) {
  const std::string open = "_ingest-auto/expansion-gadget-2026-11-15";
  const std::string text =
      "# KNOWLEDGE DROP: X\n\n- **File**: [gadget/00-x.md](../../gadget/00-x.md), 9 lines\n\n"
      "See [it](../../gadget/00-x.md).\n";
  oracle_.Write(open + "/KNOWLEDGE-DROP-x-2026-11-14.md", text);
  oracle_.Write(open + "/KNOWLEDGE-DROP-y-2026-11-14.md", "# A drop of a person\n");
  oracle_.Git({"add", "--all"});
  oracle_.Git({"commit", "-qm", "drops"});
  MustPublish(TestPublication(Part3::kDelivered));
  const std::string folder = "_ingest-auto/completed/expansion-gadget-2026-11-15";
  const std::string moved = oracle_.Read(folder + "/KNOWLEDGE-DROP-x-2026-11-14.md");
  EXPECT_NE(moved.find("[gadget/00-x.md](../../../gadget/00-x.md), 9 lines"), std::string::npos)
      << moved;
  EXPECT_NE(moved.find("See [it](../../gadget/00-x.md)."), std::string::npos) << "of a person";
  EXPECT_EQ(oracle_.Read(folder + "/KNOWLEDGE-DROP-y-2026-11-14.md"), "# A drop of a person\n");
  EXPECT_EQ(oracle_.Git({"status", "--porcelain"}), "");
}

TEST_F(PublishTest, MovesAPlanThatIsBesideItsFolderWithItsDrops) {
  Publication publication = TestPublication(Part3::kDelivered);
  publication.plan = "_ingest-auto/gadget.md";
  oracle_.Write(publication.plan, publication.plan_text);
  oracle_.Git({"add", "--all"});
  oracle_.Git({"commit", "-qm", "a plan"});
  const Published published = MustPublish(publication);
  const std::string folder = "_ingest-auto/completed/expansion-gadget";
  EXPECT_EQ(published.plan_now, folder + "/gadget.md");
  EXPECT_TRUE(published.files.at(0).drop.starts_with(folder + "/KNOWLEDGE-DROP"));
  EXPECT_TRUE(oracle_.Has(published.files.at(0).drop));
  EXPECT_FALSE(oracle_.Has("_ingest-auto/gadget.md"));
  EXPECT_FALSE(oracle_.Has("_ingest-auto/expansion-gadget"));
  EXPECT_TRUE(published.findings.empty());
  EXPECT_EQ(oracle_.Git({"status", "--porcelain"}), "");
}

TEST_F(PublishTest, ACompletedFolderOfTheSameNameGetsANumber) {
  oracle_.Write("_ingest-auto/completed/expansion-gadget-2026-11-15/ingestion.md", "# earlier\n");
  EXPECT_EQ(MustPublish(TestPublication(Part3::kDelivered)).plan_now,
            "_ingest-auto/completed/expansion-gadget-2026-11-15-2/ingestion.md");
  EXPECT_EQ(oracle_.Read("_ingest-auto/completed/expansion-gadget-2026-11-15/ingestion.md"),
            "# earlier\n");
}

TEST_F(PublishTest, AFolderWithAnotherOpenPlanStays) {
  oracle_.Write("_ingest-auto/expansion-gadget-2026-11-15/second.md",
                "# Plan\n\n## PART 1: Create a/01-b.md\n\n- [ ] PART 1: Create a/01-b.md\n");
  const Published published = MustPublish(TestPublication(Part3::kDelivered));
  EXPECT_EQ(published.plan_now, kTestPlanPath);
  ASSERT_EQ(published.findings.size(), 1U);
  EXPECT_EQ(published.findings[0].code, "publish/not-moved");
}

TEST_F(PublishTest, APlanThatWasEditedMeanwhileIsNotOverwritten) {
  oracle_.Write(std::string(kTestPlanPath), std::string(kTestPlan) + "\nOne more thing.\n");
  const Error error = MustRefuse(TestPublication());
  EXPECT_EQ(error.kind, ErrorKind::kUsage);
  EXPECT_NE(error.message.find("the plan was edited during the run"), std::string::npos);
}

TEST_F(PublishTest, ANumberThatIsTakenIsRefusedWithTheNextFreeOne) {
  oracle_.Write("cuda/02-other.md", "# Other\n");
  const Error error = MustRefuse(TestPublication());
  EXPECT_EQ(error.message, "publishing cuda/02-streams.md: its number is used by cuda/02-other.md");
  EXPECT_EQ(error.hint, "the next free number is 03");
}

TEST_F(PublishTest, TwoPartsForOneFileAreRefused) {
  Publication publication = TestPublication(Part3::kDelivered);
  publication.delivered[2].file =
      gate::TestVerified::Of(TestDraft("cuda/02-other.md", "Graphs", "Capture"));
  EXPECT_NE(MustRefuse(publication).message.find("another part of the plan writes"),
            std::string::npos);
}

TEST_F(PublishTest, AFileThatIsThereIsReplacedOnPurposeOnly) {
  oracle_.Write("cuda/02-streams.md", "# By a person\n");
  EXPECT_EQ(MustRefuse(TestPublication()).hint, "use --replace to overwrite it");
  Publication publication = TestPublication();
  publication.delivered[1].existing = ExistingFile::kReplace;
  MustPublish(publication);
  EXPECT_TRUE(oracle_.Read("cuda/02-streams.md").starts_with("# Streams\n"));
}

TEST_F(PublishTest, ARevisionIsAddedToTheDropOfItsPage) {
  const Published first = MustPublish(TestPublication(Part3::kDelivered));
  const std::string drop = first.files.at(0).drop;
  oracle_.Write(drop, oracle_.Read(drop) + "\nA note of mine, without an end of line");
  oracle_.Git({"commit", "-qam", "a note"});
  const std::string before = oracle_.Read(drop);
  Publication revision{.plan = first.plan_now,
                       .plan_text = oracle_.Read(first.plan_now),
                       .delivered = {TestPublication().delivered[0]},
                       .is_revision = true};
  draft::Draft draft = TestPublication().delivered[0].file.draft();
  draft.text += "\n<!-- another line -->\n";
  revision.delivered[0].file = gate::TestVerified::Of(draft);
  revision.delivered[0].existing = ExistingFile::kReplace;
  const Published revised = MustPublish(revision);
  EXPECT_EQ(revised.files.at(0).drop, drop);
  EXPECT_EQ(oracle_.Read(drop), before + R"(

## Revised 2026-11-15 09:05 UTC

- **Runner**: writer extract
- **File**: 16 lines, 1 citations
- **Coverage**: 1 of 2 points
- **Sources used**: gadget 4f2a91c (1)
- **Not found**: Windows &lt;!-- sibyl:end files --\> \| differences (Detection)
)");
  EXPECT_EQ(oracle_.Git({"status", "--porcelain"}), "");
  // Where the drop is gone, there is a whole new one.
  oracle_.Git({"rm", "-q", drop});
  oracle_.Git({"commit", "-qm", "no drop"});
  revision.delivered[0].file = gate::TestVerified::Of(TestPublication().delivered[0].file.draft());
  EXPECT_EQ(MustPublish(revision).files.at(0).drop, drop);
  EXPECT_TRUE(oracle_.Read(drop).starts_with("# KNOWLEDGE DROP: ")) << oracle_.Read(drop);
}

TEST_F(PublishTest, PathsThatLeadElsewhereAreRefused) {
  const TemporaryFolder outside;
  fs::create_directory_symlink(outside.path(), oracle_.path() / "link");
  for (const char* path : {"../x.md",
                           "/tmp/x.md",
                           "cuda/../../x.md",
                           "link/01-x.md",
                           "cuda//x.md",
                           ".git/x.md",
                           ".sibyl/01-x.md",
                           ".GIT/01-x.md",
                           ".Git/01-x.md",
                           ".git /01-x.md",
                           ".git./01-x.md",
                           "git~1/01-x.md",
                           ".SIBYL/01-x.md",
                           ".g\u200cit/01-x.md",
                           "a/.sibyl./01-x.md",
                           "_ingest-auto/01-x.md",
                           "01-x.md",
                           "cuda/INDEX.md",
                           "cuda/x.txt",
                           "cuda/a\nb.md",
                           ""}) {
    Publication publication = TestPublication();
    publication.delivered[0].file = gate::TestVerified::Of(TestDraft(path, "Elsewhere", "Order"));
    EXPECT_EQ(MustRefuse(publication).kind, ErrorKind::kUsage) << path;
  }
  EXPECT_TRUE(fs::is_empty(outside.path()));
}

TEST_F(PublishTest, ADamagedBlockIsAnErrorWithItsPlace) {
  oracle_.Write("cuda/INDEX.md", "# Index\n\n<!-- sibyl:begin files -->\nold\n");
  const Error error = MustRefuse(TestPublication());
  EXPECT_EQ(error.message, "the managed block 'files' has no end");
  ASSERT_TRUE(error.place);
  EXPECT_EQ(error.place->file, "cuda/INDEX.md");
  EXPECT_EQ(error.place->line, 3U);
}

TEST_F(PublishTest, WhatElseIsChangedOrStagedStaysSo) {
  oracle_.Write("theirs.txt", "two\n");
  oracle_.Write("staged.txt", "new\n");
  oracle_.Git({"add", "staged.txt"});
  oracle_.Write("untracked.txt", "new\n");
  MustPublish(TestPublication(Part3::kDelivered));
  EXPECT_EQ(oracle_.Git({"status", "--porcelain"}),
            "A  staged.txt\n M theirs.txt\n?? untracked.txt");
}

TEST_F(PublishTest, SaysWhenAPageCarriesChangesOfTheUserIntoTheCommit) {
  oracle_.Write("cuda/INDEX.md", "New words.\n\n" + std::string(kPersonsIndex));
  const Published published = MustPublish(TestPublication());
  ASSERT_EQ(published.findings.size(), 1U);
  EXPECT_EQ(published.findings[0].code, "publish/uncommitted");
  EXPECT_EQ(published.findings[0].place.file, "cuda/INDEX.md");
}

TEST_F(PublishTest, AHookThatRefusesLeavesTheFilesAndOnlyTheCommitIsTriedAgain) {
  oracle_.SetHook("pre-commit", "#!/bin/sh\necho 'no trailing spaces, please' >&2\nexit 1\n");
  const Result<Published> refused = Publish(TestPublication(), oracle_.options());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kUnavailable);
  EXPECT_EQ(refused.error().message, "git commit: no trailing spaces, please");
  EXPECT_TRUE(oracle_.Has("gadget/01-profiler.md"));
  EXPECT_EQ(oracle_.Git({"rev-list", "--count", "HEAD"}), "1");
  EXPECT_FALSE(FinishPending(oracle_.options()).ok()) << "the hook still refuses";

  const auto written = fs::last_write_time(oracle_.path() / "gadget/01-profiler.md");
  fs::remove(oracle_.path() / ".git/hooks/pre-commit");
  const Result<Pending> finished = FinishPending(oracle_.options());
  ASSERT_TRUE(finished.ok() && finished->published);
  EXPECT_EQ(finished->published->commit, oracle_.Git({"rev-parse", "HEAD"}));
  EXPECT_EQ(finished->published->files.size(), 2U);
  EXPECT_EQ(oracle_.Git({"rev-list", "--count", "HEAD"}), "2");
  EXPECT_EQ(fs::last_write_time(oracle_.path() / "gadget/01-profiler.md"), written);
}

TEST_F(PublishTest, IsPendingFromItsFirstFileToItsCommit) {
  const Publication publication = TestPublication();
  EXPECT_FALSE(IsPending(oracle_.own(), publication.plan));
  oracle_.SetHook("pre-commit", "#!/bin/sh\nexit 1\n");
  ASSERT_FALSE(Publish(publication, oracle_.options()).ok());
  EXPECT_TRUE(IsPending(oracle_.own(), publication.plan));
  EXPECT_FALSE(IsPending(oracle_.own(), "another/plan.md"));
  fs::remove(oracle_.path() / ".git/hooks/pre-commit");
  ASSERT_TRUE(FinishPending(oracle_.options()).ok());
  EXPECT_FALSE(IsPending(oracle_.own(), publication.plan));
}

TEST_F(PublishTest, WhatTheUserCommittedByHandIsNotCommittedTwice) {
  oracle_.SetHook("pre-commit", "#!/bin/sh\nexit 1\n");
  ASSERT_FALSE(Publish(TestPublication(), oracle_.options()).ok());
  oracle_.Git({"add", "-A"});
  oracle_.Git({"commit", "-q", "--no-verify", "-m", "by hand"});
  const Result<Pending> finished = FinishPending(oracle_.options());
  ASSERT_TRUE(finished.ok() && finished->published);
  EXPECT_EQ(finished->published->commit, "");
  EXPECT_EQ(finished->published->findings.back().code, "publish/committed-already");
  EXPECT_EQ(oracle_.Git({"rev-list", "--count", "HEAD"}), "2");
}

TEST_F(PublishTest, WhatGitIgnoresIsLeftOutOfTheCommitWithANote) {
  oracle_.Write(".gitignore", "/.sibyl/\n_ingest-auto/\n");
  const Published published = MustPublish(TestPublication());
  EXPECT_FALSE(published.commit.empty());
  ASSERT_EQ(published.findings.size(), 1U);
  EXPECT_EQ(published.findings[0].code, "publish/ignored");
  EXPECT_EQ(oracle_.Git({"status", "--porcelain"}), "M .gitignore");
  EXPECT_TRUE(oracle_.Has(published.files[0].drop));
}

TEST_F(PublishTest, DropsOfAPlanElsewhereInTheOracleAreNotLeftAmongThePages) {
  for (const std::string_view plan :
       {"gadget.md", "gadget/plan.md", "plans/expansion-x/ingestion.md"}) {
    EXPECT_TRUE(DropFolder(plan).starts_with("_ingest-auto/expansion-")) << plan;
  }
  EXPECT_EQ(DropFolder("_ingest-auto/x/ingestion.md"), "_ingest-auto/x");
  Publication publication = TestPublication();
  publication.plan = "gadget.md";
  oracle_.Write(publication.plan, publication.plan_text);
  const Published published = MustPublish(publication);
  EXPECT_EQ(published.plan_now, "gadget.md") << "marked where it is";
  const std::string& drop = published.files.at(0).drop;
  EXPECT_EQ(drop, "_ingest-auto/expansion-gadget/KNOWLEDGE-DROP-profiler-2026-11-15.md");
  EXPECT_NE(oracle_.Read(drop).find("](../../gadget/01-profiler.md)"), std::string::npos);
}

TEST_F(PublishTest, APlanOutsideTheOracleIsRefused) {
  Publication publication = TestPublication();
  publication.plan = "../plan.md";
  EXPECT_EQ(MustRefuse(publication).message,
            "publishing ../plan.md: the plan is not in the oracle");
}

TEST_F(PublishTest, WithoutARepositoryThereIsNoCommitAndANote) {
  fs::remove_all(oracle_.path() / ".git");
  const Published published = MustPublish(TestPublication());
  EXPECT_EQ(published.commit, "");
  ASSERT_EQ(published.findings.size(), 1U);
  EXPECT_EQ(published.findings[0].code, "publish/no-git");
  EXPECT_TRUE(oracle_.Has("gadget/01-profiler.md"));
}

TEST_F(PublishTest, ARepositoryWithoutACommitGetsItsFirst) {
  fs::remove_all(oracle_.path() / ".git");
  oracle_.Git({"init", "-q", "-b", "main"});
  oracle_.Git({"config", "user.name", "Ada"});
  oracle_.Git({"config", "user.email", "ada@example.org"});
  const Published published = MustPublish(TestPublication());
  EXPECT_EQ(published.commit, oracle_.Git({"rev-parse", "HEAD"}));
  EXPECT_EQ(oracle_.Git({"rev-list", "--count", "HEAD"}), "1");
}

TEST_F(PublishTest, AnOracleInAFolderOfARepositoryCommitsThere) {
  const TemporaryFolder other;
  fs::remove_all(oracle_.path() / ".git");
  const fs::path repository = oracle_.path().parent_path();
  oracle_.Git({"init", "-q", "-b", "main", repository.string()});
  oracle_.Git({"config", "user.name", "Ada"});
  oracle_.Git({"config", "user.email", "ada@example.org"});
  oracle_.Git({"add", "-A"});
  oracle_.Git({"commit", "-q", "-m", "start"});
  const Published published = MustPublish(TestPublication(Part3::kDelivered));
  EXPECT_EQ(published.commit, oracle_.Git({"rev-parse", "HEAD"}));
  EXPECT_EQ(oracle_.Git({"status", "--porcelain"}), "");
}

TEST_F(PublishTest, IsToldOnceMoreUntilItIsForgotten) {
  const Published published = MustPublish(TestPublication());
  const auto told = FinishPending(oracle_.options());
  ASSERT_TRUE(told.ok() && told->published);
  EXPECT_EQ(told->published->id, published.id);
  EXPECT_EQ(told->published->commit, published.commit);
  ASSERT_TRUE(Forget(oracle_.options()).ok());
  EXPECT_FALSE(FinishPending(oracle_.options())->published);
}

TEST_F(PublishTest, TheSameContentIsPublishedOnce) {
  const Published first = MustPublish(TestPublication());
  const Published second = MustPublish(TestPublication());
  EXPECT_EQ(first.commit, second.commit);
  EXPECT_EQ(oracle_.Git({"rev-list", "--count", "HEAD"}), "2");
}

TEST_F(PublishTest, TheNextPublicationKeepsTheKeywordsOfTheLast) {
  MustPublish(TestPublication());
  Publication next{.plan = std::string(kTestPlanPath),
                   .plan_text = oracle_.Read(std::string(kTestPlanPath))};
  next.delivered.push_back(
      {.part = 2,
       .file = gate::TestVerified::Of(TestDraft("cuda/03-graphs.md", "Graphs", "Capture"))});
  MustPublish(next);
  const std::string index = oracle_.Read("cuda/INDEX.md");
  EXPECT_NE(index.find("| Detection | profiler, PROF\\_LIBRARY | 14 | 1 |"), std::string::npos);
  EXPECT_TRUE(oracle_.Has("_ingest-auto/completed/expansion-gadget-2026-11-15/ingestion.md"));
  EXPECT_EQ(oracle_.Git({"rev-list", "--count", "HEAD"}), "3");
}

}  // namespace
}  // namespace sibyl::library
