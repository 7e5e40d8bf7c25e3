// SPDX-License-Identifier: Apache-2.0
#include "expansion/part_choice.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"

namespace sibyl::expansion {
namespace {

namespace fs = std::filesystem;
using States = std::vector<std::string>;

class PartChoice : public testing::Test {
 protected:
  void Put(const std::string& path) const {
    ASSERT_TRUE(CreateFolders((folder_.path() / path).parent_path()).ok());
    ASSERT_TRUE(WriteFileAtomically(folder_.path() / path, "# Page\n").ok());
  }

  PartChoices Choose(const std::string& text, std::vector<int> numbers = {},
                     library::ExistingFile existing = library::ExistingFile::kRefuse) const {
    const plan::Plan plan = plan::Parse("plan.md", text).plan;
    return ChooseParts(plan, {.oracle = folder_.path(),
                              .plan_name = "plan.md",
                              .plan_text_view = text,
                              .numbers = std::move(numbers),
                              .existing = existing});
  }

  static States StatesOf(const PartChoices& choices) {
    States names;
    for (const ChosenPart& part : choices.parts) names.emplace_back(PartStateName(part.state));
    return names;
  }

  TemporaryFolder folder_;
};

std::string PartText(int number, const std::string& target, const std::string& mark = " ") {
  const std::string name = "PART " + std::to_string(number);
  return "## " + name + ": Title\n\n- [" + mark + "] " + name + ": Create " + target + "\n\n";
}

TEST_F(PartChoice, RunsEveryOpenPartWhenNoneIsAskedFor) {
  const PartChoices choices =
      Choose("# P\n\n" + PartText(1, "cuda/01-a.md") + PartText(2, "cuda/02-b.md"));
  EXPECT_EQ(StatesOf(choices), (States{"runs", "runs"}));
  EXPECT_EQ(choices.running(), 2U);
  EXPECT_TRUE(choices.findings.empty());
  EXPECT_EQ(choices.parts[1].place, 1U);
}

TEST_F(PartChoice, HasNothingToChooseInAPlanWithoutParts) {
  for (const std::string text : {"", "\xFF\xFE\r\n", "# Only a title\n"}) {
    const PartChoices choices = Choose(text);
    EXPECT_TRUE(choices.parts.empty()) << text;
    EXPECT_EQ(choices.running(), 0U);
    EXPECT_TRUE(choices.findings.empty());
  }
}

TEST_F(PartChoice, RunsOnlyThePartsThatAreAskedFor) {
  const std::string text = "# P\n\n" + PartText(1, "cuda/01-a.md") + PartText(2, "cuda/02-b.md") +
                           PartText(3, "cuda/03-c.md");
  EXPECT_EQ(StatesOf(Choose(text, {2})), (States{"not-asked", "runs", "not-asked"}));
  EXPECT_EQ(StatesOf(Choose(text, {3, 1, 1})), (States{"runs", "not-asked", "runs"}));
}

TEST_F(PartChoice, ReportsEachNumberThatThePlanDoesNotHave) {
  const PartChoices choices = Choose("# P\n\n" + PartText(1, "cuda/01-a.md"), {7, 1, -2});
  EXPECT_EQ(StatesOf(choices), States{"runs"});
  ASSERT_EQ(choices.findings.size(), 2U);
  EXPECT_EQ(choices.findings[0].code, "expand/no-part");
  EXPECT_EQ(choices.findings[0].message, "the plan has no PART 7");
  EXPECT_EQ(choices.findings[0].place.file, "plan.md");
  EXPECT_EQ(choices.findings[1].message, "the plan has no PART -2");
}

TEST_F(PartChoice, ATickedPartWhoseFileIsThereIsDone) {
  Put("cuda/01-a.md");
  EXPECT_EQ(StatesOf(Choose("# P\n\n" + PartText(1, "cuda/01-a.md", "x"))), States{"done"});
}

TEST_F(PartChoice, ATickedPartWhoseFileIsMissingRuns) {
  EXPECT_EQ(StatesOf(Choose("# P\n\n" + PartText(1, "cuda/01-a.md", "x"))), States{"runs"});
}

TEST_F(PartChoice, APartThatIsDoneRunsAgainOnlyWhenNamedAndReplacing) {
  Put("cuda/01-a.md");
  const std::string text = "# P\n\n" + PartText(1, "cuda/01-a.md", "x");
  using library::ExistingFile;
  EXPECT_EQ(StatesOf(Choose(text, {}, ExistingFile::kReplace)), States{"done"});
  EXPECT_EQ(StatesOf(Choose(text, {1}, ExistingFile::kRefuse)), States{"done"});
  const PartChoices again = Choose(text, {1}, ExistingFile::kReplace);
  EXPECT_EQ(StatesOf(again), States{"runs"});
  EXPECT_EQ(again.parts[0].existing, ExistingFile::kReplace);
}

TEST_F(PartChoice, AnOpenPartWhoseFileIsThereIsRefusedUnlessItReplaces) {
  Put("cuda/01-a.md");
  const std::string text = "# P\n\n" + PartText(1, "cuda/01-a.md");
  const PartChoices refused = Choose(text);
  EXPECT_EQ(StatesOf(refused), States{"refused"});
  ASSERT_EQ(refused.findings.size(), 1U);
  EXPECT_EQ(refused.findings[0].code, "expand/target");
  EXPECT_NE(refused.findings[0].message.find("PART 1: "), std::string::npos);
  EXPECT_NE(refused.findings[0].hint.find("--replace"), std::string::npos);
  EXPECT_EQ(StatesOf(Choose(text, {}, library::ExistingFile::kReplace)), States{"runs"});
}

TEST_F(PartChoice, ANumberThatAnotherFileHasIsRefusedWithTheNextFreeOne) {
  Put("cuda/01-old.md");
  const PartChoices choices = Choose("# P\n\n" + PartText(1, "cuda/01-a.md"));
  EXPECT_EQ(StatesOf(choices), States{"refused"});
  ASSERT_EQ(choices.findings.size(), 1U);
  EXPECT_NE(choices.findings[0].message.find("used by cuda/01-old.md"), std::string::npos);
  EXPECT_NE(choices.findings[0].hint.find("02"), std::string::npos) << choices.findings[0].hint;
}

TEST_F(PartChoice, OfTwoPartsThatWantOneNumberTheSecondIsRefused) {
  const PartChoices choices =
      Choose("# P\n\n" + PartText(1, "cuda/01-a.md") + PartText(2, "cuda/1-b.md"));
  EXPECT_EQ(StatesOf(choices), (States{"runs", "refused"}));
  ASSERT_EQ(choices.findings.size(), 1U);
  EXPECT_NE(choices.findings[0].message.find("PART 1 also writes a file with that number"),
            std::string::npos)
      << choices.findings[0].message;
}

TEST_F(PartChoice, TheSameNumberInTwoFoldersIsFree) {
  EXPECT_EQ(StatesOf(Choose("# P\n\n" + PartText(1, "cuda/01-a.md") + PartText(2, "hip/01-a.md"))),
            (States{"runs", "runs"}));
}

TEST_F(PartChoice, APartThatIsNotAskedForTakesNoNumber) {
  EXPECT_EQ(
      StatesOf(Choose("# P\n\n" + PartText(1, "cuda/01-a.md") + PartText(2, "cuda/01-b.md"), {2})),
      (States{"not-asked", "runs"}));
}

TEST_F(PartChoice, APartWithoutATargetIsRefusedWithItsLine) {
  const PartChoices choices = Choose("# P\r\n\r\n## PART 1: Überblick\r\n\r\nWords only.\r\n");
  EXPECT_EQ(StatesOf(choices), States{"refused"});
  ASSERT_EQ(choices.findings.size(), 1U);
  EXPECT_EQ(choices.findings[0].code, "expand/no-target");
  EXPECT_EQ(choices.findings[0].place.line, 3U);
  EXPECT_NE(choices.findings[0].place.text.find("## PART 1: Überblick"), std::string::npos);
}

TEST_F(PartChoice, PartsThatThePlanTurnsOffOrLeavesOpenAreNotRefused) {
  const PartChoices choices =
      Choose("# P\n\n" + PartText(1, "cuda/01-a.md") +
             "## PARTS 2-4: TBD (to be chosen)\n\n## DISABLED PARTS (kept for reference)\n\n"
             "### PART 5: Old\n\n- [ ] PART 5: Create cuda/05-old.md\n");
  EXPECT_EQ(StatesOf(choices), (States{"runs", "tbd", "disabled"}));
  EXPECT_TRUE(choices.findings.empty());
}

TEST_F(PartChoice, TargetsThatLeaveTheOracleAreRefused) {
  fs::create_directory_symlink("/tmp", folder_.path() / "link");
  for (const std::string target : {"../out/01-a.md", "_ingest-auto/01-a.md", "link/01-a.md"}) {
    const PartChoices choices =
        Choose("# P\n\n## PART 1: T\n\n- [ ] PART 1: Create `" + target + "` (~80 lines)\n");
    ASSERT_EQ(choices.parts.size(), 1U) << target;
    EXPECT_EQ(choices.running(), 0U) << target;
    EXPECT_FALSE(choices.findings.empty()) << target;
  }
}

TEST_F(PartChoice, AnOracleThatIsNotThereRunsNothing) {
  const std::string text = "# P\n\n" + PartText(1, "cuda/01-a.md", "x");
  const plan::Plan plan = plan::Parse("plan.md", text).plan;
  const PartChoices choices =
      ChooseParts(plan, {.oracle = folder_.path() / "none", .plan_name = "plan.md"});
  EXPECT_EQ(StatesOf(choices), States{"refused"});
  EXPECT_TRUE(choices.findings.at(0).place.text.empty()) << "no text of the plan was given";
}

TEST(PartStateName, NamesEveryState) {
  EXPECT_EQ(PartStateName(PartState::kRuns), "runs");
  EXPECT_EQ(PartStateName(PartState::kDone), "done");
  EXPECT_EQ(PartStateName(PartState::kDisabled), "disabled");
  EXPECT_EQ(PartStateName(PartState::kTbd), "tbd");
  EXPECT_EQ(PartStateName(PartState::kNotAsked), "not-asked");
  EXPECT_EQ(PartStateName(PartState::kRefused), "refused");
}

}  // namespace
}  // namespace sibyl::expansion
