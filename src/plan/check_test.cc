// SPDX-License-Identifier: Apache-2.0
#include "plan/check.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "plan/edit.h"

namespace sibyl::plan {
namespace {

std::vector<Finding> CheckText(std::string_view text, const CheckOptions& options = {}) {
  return Check(Parse("plan.md", text), "plan.md", text, options);
}

const Finding* FindCode(const std::vector<Finding>& findings, std::string_view code) {
  const auto found = std::find_if(findings.begin(), findings.end(),
                                  [code](const Finding& f) { return f.code == code; });
  return found == findings.end() ? nullptr : &*found;
}

// A part with nothing wrong; tests change one thing.
std::string GoodPart(int number, std::string_view target) {
  const std::string n = std::to_string(number);
  return "## PART " + n + ": Topic (100 lines)\n\n- [ ] PART " + n + ": Create " +
         std::string(target) + "\n\n**Step 1: Research**\n- [ ] Search: \"query " + n +
         "\"\n\n**Step 2: Write**\n- [ ] Section 1: One (~60 lines)\n      - point\n" +
         "- [ ] Section 2: Two (~40 lines)\n      - point\n\n**Step 3: Drop**\n" +
         "- [ ] Create KNOWLEDGE-DROP-" + n + ".md\n\n";
}

TEST(PlanCheck, HasNothingToSayAboutAGoodPlan) {
  const std::string text = "# Plan\n\n**Date**: 2026-01-01\n\n" + GoodPart(1, "a/01-b.md") +
                           GoodPart(2, "a/02-c.md") +
                           "## Summary\n\n**Total**: 2 files, ~200 lines\n";
  for (const Finding& finding : CheckText(text)) ADD_FAILURE() << finding.code << finding.message;
}

TEST(PlanCheck, AddsUpTheSections) {
  const std::string text =
      "**Date**: 2026-01-01\n## PART 1: T (100 lines)\n- [ ] Section 1: A (~60 lines)\n"
      "- [ ] Section 2: B (~80 lines)\n";
  const auto findings = CheckText(text);
  const Finding* finding = FindCode(findings, "budget/sections");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, Severity::kWarning);
  EXPECT_EQ(finding->place.line, 2U);
  EXPECT_EQ(finding->message, "the sections of PART 1 add up to 140 lines, but the part has 100");
}

TEST(PlanCheck, RefusesTwoPartsWithOneTargetOrOneDrop) {
  std::string text = GoodPart(1, "a/01-b.md") + GoodPart(2, "a/01-b.md");
  auto findings = CheckText(text);
  ASSERT_NE(FindCode(findings, "part/duplicate-target"), nullptr);
  EXPECT_EQ(FindCode(findings, "part/duplicate-target")->severity, Severity::kError);
  text = GoodPart(1, "a/01-b.md") + GoodPart(2, "a/02-c.md");
  text.replace(text.rfind("DROP-2"), 6, "DROP-1");
  findings = CheckText(text);
  ASSERT_NE(FindCode(findings, "part/duplicate-drop"), nullptr);
}

TEST(PlanCheck, OffersTheNextFreeNumber) {
  OracleFiles oracle;
  for (const char* path : {"a/01-other.md", "a/02-c.md", "a/07-last.md", "INDEX.md"}) {
    oracle.Add(path);
  }
  const auto findings =
      CheckText(GoodPart(1, "a/01-b.md") + GoodPart(2, "a/02-c.md"), {.oracle = &oracle});
  const Finding* finding = FindCode(findings, "target/number-taken");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, Severity::kError);
  EXPECT_EQ(finding->message, "number 01 is used by a/01-other.md");
  EXPECT_EQ(finding->hint, "the next free number in a/ is 08");
  EXPECT_EQ(std::count_if(findings.begin(), findings.end(),
                          [](const Finding& f) { return f.code == "target/number-taken"; }),
            1)
      << "a file that exists does not take its own number";
}

TEST(PlanCheck, KnowsWhichFilesExist) {
  OracleFiles oracle;
  oracle.Add("deep/a/01-b.md");
  const auto findings =
      CheckText("## PART 1: T\n- [ ] Read a/01-b.md\n- [ ] Read deep/\n- [ ] Read a/09-gone.md\n",
                {.oracle = &oracle});
  const Finding* finding = FindCode(findings, "read/missing");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->place.line, 4U);
}

TEST(PlanCheck, ComparesDatesAndTheirForms) {
  const auto findings = CheckText(
      "**Date**: 2026-03-01\n## PART 1: T\n- [x] PART 1: Create a/1.md (Completed 2026-02-28)\n"
      "## PART 2: T\n- [x] PART 2: Create a/2.md (Completed 2026-03-02 10:00)\n"
      "## PART 3: T\n- [x] PART 3: Create a/3.md (Completed 2026-02-30)\n");
  ASSERT_NE(FindCode(findings, "date/before-plan"), nullptr);
  EXPECT_EQ(FindCode(findings, "date/before-plan")->place.line, 3U);
  EXPECT_EQ(FindCode(findings, "date/mixed-forms")->place.line, 5U);
  EXPECT_EQ(FindCode(findings, "date/invalid")->place.line, 7U);
}

TEST(PlanCheck, SeesAPartThatIsTickedTooEarly) {
  const auto findings = CheckText(
      "## PART 1: T\n- [x] PART 1: Create a/1.md\n- [x] one\n- [ ] two\n"
      "## PART 2: T\n- [ ] PART 2: Create a/2.md\n- [x] PART 2 COMPLETE\n");
  EXPECT_EQ(FindCode(findings, "part/open-items")->place.line, 4U);
  EXPECT_EQ(FindCode(findings, "part/contradictory-status")->place.line, 7U);
}

TEST(PlanCheck, AcceptsWhatTheProgramWritesIntoAPlan) {
  const std::string text =
      "## PART 1: T\n- [ ] PART 1: Create a/1.md\n- [ ] one\n"
      "## PART 2: T\n- [ ] PART 2: Create a/2.md\n- [ ] two\n";
  const std::string ticked =
      *TickPart(text, Parse("plan.md", text).plan.parts[0], "2026-11-15 03:00");
  const std::string both = *MarkPartFailed(ticked, Parse("plan.md", ticked).plan.parts[1],
                                           "2026-11-15 03:00", "no source (yet)");
  const auto findings = CheckText(both);
  EXPECT_EQ(FindCode(findings, "part/open-items"), nullptr);
  EXPECT_EQ(FindCode(findings, "mark/foreign"), nullptr);
  const auto by_hand = CheckText(text + "- [/] three\n");
  EXPECT_NE(FindCode(by_hand, "mark/foreign"), nullptr);
}

TEST(PlanCheck, HoldsThePlanToItsTotals) {
  const std::string text =
      "# Plan\n**Runners**: 3\n" + GoodPart(1, "a/01-b.md") + GoodPart(2, "a/02-c.md") +
      "## Expected Output\n- 5 knowledge files (~900 lines total)\n- PART 1: ~80 lines\n";
  const auto findings = CheckText(text);
  EXPECT_EQ(FindCode(findings, "total/parts")->place.line, 2U);
  ASSERT_NE(FindCode(findings, "total/files"), nullptr);
  ASSERT_NE(FindCode(findings, "budget/plan"), nullptr);
  ASSERT_NE(FindCode(findings, "budget/claimed"), nullptr);
}

TEST(PlanCheck, SaysWhatAPartLacks) {
  const auto findings = CheckText("## PART 1: Something\n");
  EXPECT_EQ(FindCode(findings, "part/no-target")->severity, Severity::kError);
  EXPECT_EQ(FindCode(findings, "part/no-sections")->severity, Severity::kWarning);
  EXPECT_EQ(FindCode(findings, "part/no-queries")->severity, Severity::kWarning);
}

TEST(PlanCheck, CountsForeignMarksOncePerMark) {
  const auto findings = CheckText("## PART 1: T\n- [✓] a\n- [✓] b\n- [x] c\n");
  const Finding* finding = FindCode(findings, "mark/foreign");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->message, "Markdown does not render the task mark [✓] (2 times, first here)");
}

TEST(PlanCheck, NamesRepositoriesThatAreNotPinned) {
  const std::unordered_set<std::string> pinned = {"nvidia/cutlass"};
  const auto findings = CheckText(
      "## PART 1: T\n- [ ] Hunt in GitHub NVIDIA/cutlass\n- [ ] Hunt in GitHub NVIDIA/apex\n",
      {.pinned = &pinned});
  const Finding* finding = FindCode(findings, "repository/not-pinned");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->place.line, 3U);
  EXPECT_EQ(finding->hint, "sibyl source add https://github.com/NVIDIA/apex");
}

TEST(PlanCheck, ReportsOnlyCodesThatAreListed) {
  const std::string text =
      "# Plan (9 runners)\n```\n\xFF\n**Date**: 2026-13-01\n## PART 1: T (50 lines)\n- [✓] PART 1: "
      "x\n- [ ] y\nprose\n"
      "- [ ] Section 1: a (~90 lines)\n## PART 1: TBD\n## PART 4: DISABLED\n";
  for (const Finding& finding : CheckText(text)) {
    const auto rules = CheckRules();
    EXPECT_TRUE(std::any_of(rules.begin(), rules.end(), [&finding](const Rule& rule) {
      return rule.code == finding.code;
    })) << finding.code;
  }
}

}  // namespace
}  // namespace sibyl::plan
