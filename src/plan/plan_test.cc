// SPDX-License-Identifier: Apache-2.0
#include "plan/plan.h"

#include <gtest/gtest.h>

#include <string>

namespace sibyl::plan {
namespace {

Plan Read(std::string_view text) { return Parse("plan.md", text).plan; }

std::vector<std::string> Texts(const std::vector<Text>& texts) {
  std::vector<std::string> result;
  for (const Text& text : texts) result.push_back(text.text);
  return result;
}

using Strings = std::vector<std::string>;

constexpr std::string_view kChecklist = R"(# Knowledge Expansion: Gadget builds

**Topic**: How Gadget is built
**Date**: 2026-01-02
**Target Folder**: `build/`

## PART 1: Create build/04-cache.md (120 lines)

- [x] PART 1: Create build/04-cache.md (Completed 2026-01-03 10:20)

**Goal**: Know what the cache keeps

**Step 0: Check Existing Knowledge**
- [ ] Read build/01-tools.md (how tools are found)
- [ ] Grep for "cache" in build/

**Step 1: Research**
- [ ] Search: "gadget compiler cache hit rate"
- [ ] Search GitHub: "gadget ccache" (official repository)
- [ ] Look into github.com/acme/gadget and https://example.org/cache.html.

**Step 2: Focus**
Research Focus:
- What is hashed
- What is not

**Step 3: Write Knowledge File**
- [ ] Create build/04-cache.md (~120 lines)
- [ ] Section 1: The key (~70 lines)
      - Inputs of the hash
      - Flags that are left out,
        and why
      Cite: gadget documentation
- [x] Section 2: -O2 and other flags (~50 lines)
      - Order of flags

**Step 4: Create KNOWLEDGE DROP**
- [ ] Create KNOWLEDGE-DROP-cache-2026-01-02.md

## Completion Criteria

All 1 PARTs must:
- [ ] Exist
- [x] Cite

**Expected Output:**
- 1 knowledge file (~120 lines total)
)";

TEST(PlanParse, ReadsTheHeader) {
  const Plan plan = Read(kChecklist);
  EXPECT_EQ(plan.title, "Knowledge Expansion: Gadget builds");
  EXPECT_EQ(plan.topic, "How Gadget is built");
  EXPECT_EQ(plan.date, "2026-01-02");
  EXPECT_EQ(plan.target_folder, "build/");
}

TEST(PlanParse, ReadsAPartOfTheChecklistDialect) {
  const Plan plan = Read(kChecklist);
  ASSERT_EQ(plan.parts.size(), 1U);
  const Part& part = plan.parts[0];
  EXPECT_EQ(part.number, 1);
  EXPECT_EQ(part.title, "Create build/04-cache.md");
  EXPECT_EQ(part.status, PartStatus::kDone);
  EXPECT_EQ(part.completed, "2026-01-03 10:20");
  EXPECT_EQ(part.target, "build/04-cache.md");
  EXPECT_EQ(part.line_budget, 120U);
  EXPECT_EQ(part.goal, "Know what the cache keeps");
  EXPECT_EQ(part.line, 7U);
  EXPECT_EQ(part.drop, "KNOWLEDGE-DROP-cache-2026-01-02.md");
  EXPECT_EQ(Texts(part.queries), (Strings{"gadget compiler cache hit rate", "gadget ccache"}));
  EXPECT_EQ(Texts(part.urls), (Strings{"https://example.org/cache.html"}));
  EXPECT_EQ(Texts(part.repositories), (Strings{"acme/gadget"}));
  ASSERT_EQ(part.reads.size(), 1U);
  EXPECT_EQ(part.reads[0].path, "build/01-tools.md");
}

TEST(PlanParse, ReadsStepsAndTheirItems) {
  const Plan plan = Read(kChecklist);
  const std::vector<Step>& steps = plan.parts[0].steps;
  ASSERT_EQ(steps.size(), 5U);
  EXPECT_EQ(steps[0].number, 0);
  EXPECT_EQ(steps[0].title, "Check Existing Knowledge");
  ASSERT_EQ(steps[2].items.size(), 2U);
  EXPECT_EQ(steps[2].items[0].text, "What is hashed");
  EXPECT_FALSE(steps[2].items[0].done.has_value()) << "a plain bullet has no box";
  EXPECT_EQ(steps[3].items[2].done, true);
}

TEST(PlanParse, ReadsSectionsWithPointsBudgetsAndCitations) {
  const Plan plan = Read(kChecklist);
  const std::vector<Section>& sections = plan.parts[0].sections;
  ASSERT_EQ(sections.size(), 2U);
  EXPECT_EQ(sections[0].number, 1);
  EXPECT_EQ(sections[0].title, "The key");
  EXPECT_EQ(sections[0].line_budget, 70U);
  EXPECT_EQ(Texts(sections[0].points),
            (Strings{"Inputs of the hash", "Flags that are left out, and why"}));
  EXPECT_EQ(sections[0].cite, "gadget documentation");
  EXPECT_EQ(sections[1].title, "-O2 and other flags") << "the dash belongs to the flag";
}

TEST(PlanParse, ReadsCriteriaUntilTheNextLabel) {
  const Plan plan = Read(kChecklist);
  ASSERT_EQ(plan.criteria.size(), 2U);
  EXPECT_EQ(plan.criteria[0].text, "Exist");
  EXPECT_EQ(plan.criteria[1].done, true);
}

TEST(PlanParse, ReadsSectionsInsideAFencedBlock) {
  const Plan plan = Read(R"(# Plan
## PART 2: Gadget internals
- [ ] PART 2: Create build/05-internals.md
**Step 1: Web Research**
Search queries:
- "gadget scheduler"
- "gadget job graph 2025"

Target sources:
- Gadget handbook
**Step 3: Write Knowledge File** (~300 lines)
```markdown
# Gadget internals

## Section 1: Scheduler (~200 lines)
- Ready queue
- Job limits

## Section 2: Log (~100 lines)
- Records
```
**Step 4: Create KNOWLEDGE DROP**
Summary file: `KNOWLEDGE-DROP-internals-2026-01-02-[TIME].md`
)");
  ASSERT_EQ(plan.parts.size(), 1U);
  const Part& part = plan.parts[0];
  EXPECT_EQ(part.title, "Gadget internals");
  EXPECT_EQ(part.line_budget, 300U);
  EXPECT_EQ(Texts(part.queries), (Strings{"gadget scheduler", "gadget job graph 2025"}));
  ASSERT_EQ(part.sections.size(), 2U);
  EXPECT_EQ(part.sections[0].title, "Scheduler");
  EXPECT_EQ(Texts(part.sections[0].points), (Strings{"Ready queue", "Job limits"}));
  EXPECT_EQ(part.drop, "KNOWLEDGE-DROP-internals-2026-01-02-[TIME].md");
}

TEST(PlanParse, AFenceBehindAChecklistIsAnExample) {
  const Plan plan = Read(R"(## PART 1: Create a/01-b.md
- [ ] Section 1: Real (~10 lines)
      - point
If a section has nothing, write:
```markdown
## Section X: [Topic]
## Section 2: Sample
```
)");
  ASSERT_EQ(plan.parts[0].sections.size(), 1U);
}

TEST(PlanParse, SeesPartsThatAreNotToRun) {
  const Plan plan = Read(R"(# Plan
## PART 1: Create a/01-x.md
- [ ] PART 1: Create a/01-x.md
## PARTS 2-4: TBD (to be chosen)
## DISABLED PARTS (kept for reference)
## PART 5: Create a/05-y.md
- [x] PART 5: Create a/05-y.md
## Completion Criteria
## PART 6: Create a/06-z.md
)");
  ASSERT_EQ(plan.parts.size(), 4U);
  EXPECT_EQ(plan.parts[0].status, PartStatus::kOpen);
  EXPECT_EQ(plan.parts[1].status, PartStatus::kTbd);
  EXPECT_EQ(plan.parts[1].number, 2);
  EXPECT_EQ(plan.parts[1].through, 4);
  EXPECT_EQ(plan.parts[2].status, PartStatus::kDisabled);
  EXPECT_EQ(plan.parts[3].status, PartStatus::kOpen) << "another heading ends the disabled ones";
}

TEST(PlanParse, KnowsTheMarksPeopleUse) {
  const Plan plan = Read(
      "## PART 1: a\n- [✓] PART 1: Create a/1.md\n## PART 2: b\n- [X] PART 2: Create a/2.md\n"
      "## PART 3: c\n- [/] PART 3: Create a/3.md (Failed 2026-01-01: no source)\n"
      "## PART 4: d\n- [] PART 4: Create a/4.md\n## PART 5: e\n- [~] PART 5: Create a/5.md\n");
  ASSERT_EQ(plan.parts.size(), 5U);
  EXPECT_EQ(plan.parts[0].status, PartStatus::kDone);
  EXPECT_EQ(plan.parts[1].status, PartStatus::kDone);
  EXPECT_EQ(plan.parts[2].status, PartStatus::kFailed);
  EXPECT_EQ(plan.parts[3].status, PartStatus::kOpen);
  EXPECT_EQ(plan.parts[4].status, PartStatus::kOpen);
  EXPECT_EQ(plan.foreign_marks.size(), 2U) << "not [/] with the note of a failure";
}

TEST(PlanParse, TakesTheStatusLineWhereThereIsNoBox) {
  const Plan plan = Read(
      "### PART 1: One\n**Status**: [✓] COMPLETED 2026-02-03 11:00\n"
      "### PART 2: Two\n**Complete:** [x] PART 2 (Completed 2026-02-04)\n"
      "### PART 3: Three\n**Status**: pending\n"
      "### PART 4: Four\n- [x] PART 4 COMPLETE ✅ (2026-02-05)\n");
  ASSERT_EQ(plan.parts.size(), 4U);
  EXPECT_EQ(plan.parts[0].status, PartStatus::kDone);
  EXPECT_EQ(plan.parts[0].completed, "2026-02-03 11:00");
  EXPECT_EQ(plan.parts[1].completed, "2026-02-04");
  EXPECT_EQ(plan.parts[2].status, PartStatus::kOpen);
  EXPECT_EQ(plan.parts[3].status, PartStatus::kDone);
  EXPECT_EQ(plan.parts[3].completed, "2026-02-05");
}

TEST(PlanParse, FindsPartsWithEmojiOtherLevelsAndNoHeading) {
  EXPECT_EQ(Read("### 🔥 PART 3: Kernels\n").parts.at(0).title, "Kernels");
  EXPECT_EQ(Read("# **PART 12** - Kernels\n").parts.at(0).number, 12);
  EXPECT_EQ(Read("**PART 1**: Create a/01-b.md\n- Save it\n**PART 2**: Update INDEX.md\n")
                .parts.at(1)
                .target,
            "INDEX.md");
  const Plan boxes =
      Read("- [ ] PART 1: Create a/01-b.md (~40 lines)\n- [x] PART 2: Create c.md\n");
  ASSERT_EQ(boxes.parts.size(), 2U);
  EXPECT_EQ(boxes.parts[0].line_budget, 40U);
  EXPECT_EQ(boxes.parts[1].status, PartStatus::kDone);
}

TEST(PlanParse, AnOverviewListGivesItsBoxesToTheParts) {
  const Plan plan = Read(R"(# Plan
## Progress
- [x] PART 1: Create a/01-b.md (Completed 2026-01-01)
- [ ] PART 2: Create a/02-c.md
## PART 1: First
**File**: `a/01-b.md` (~80 lines)
## PART 2: Second
)");
  ASSERT_EQ(plan.parts.size(), 2U);
  EXPECT_EQ(plan.parts[0].status, PartStatus::kDone);
  EXPECT_EQ(plan.parts[0].target, "a/01-b.md");
  EXPECT_EQ(plan.parts[0].line_budget, 80U);
  EXPECT_EQ(plan.parts[1].status, PartStatus::kOpen);
}

TEST(PlanParse, KeepsWhatItDoesNotUnderstand) {
  const Plan plan = Read("## PART 1: Create a/01-b.md\nSome prose that fits nothing.\n");
  ASSERT_EQ(plan.parts[0].unread.size(), 1U);
  EXPECT_EQ(plan.parts[0].unread[0].line, 2U);
}

TEST(PlanParse, ReadsOutlinesAndTopicLists) {
  const Plan plan = Read(R"(## PART 1: Create a/01-b.md
**Research Queries** (any engine):
```
"first query"
"second query"
```
**Content Structure**:
1. Overview - what it is
2. Limits (~30 lines)
   - memory
## PART 2: Create a/02-c.md
**Topics**: tiles, caches (L1, L2), banks
)");
  ASSERT_EQ(plan.parts.size(), 2U);
  EXPECT_EQ(Texts(plan.parts[0].queries), (Strings{"first query", "second query"}));
  ASSERT_EQ(plan.parts[0].sections.size(), 2U);
  EXPECT_EQ(plan.parts[0].sections[0].title, "Overview");
  EXPECT_EQ(Texts(plan.parts[0].sections[0].points), (Strings{"what it is"}));
  EXPECT_EQ(plan.parts[0].sections[1].line_budget, 30U);
  EXPECT_EQ(Texts(plan.parts[0].sections[1].points), (Strings{"memory"}));
  EXPECT_EQ(Texts(plan.parts[1].sections.at(0).points),
            (Strings{"tiles", "caches (L1, L2)", "banks"}));
}

TEST(PlanParse, ReadsSectionsWrittenAsParagraphsAndHeadings) {
  const Plan plan = Read(R"(## PART 1: Create a/01-b.md
**Step 2: Structure**

Section 1: Stages (~100 lines)
- What a stage is
- Why

### Section 2: Layers (50 lines) - how they stack
- Order
**Step 3: Create KNOWLEDGE DROP**
- File: KNOWLEDGE-DROP-b.md
)");
  const std::vector<Section>& sections = plan.parts.at(0).sections;
  ASSERT_EQ(sections.size(), 2U);
  EXPECT_EQ(Texts(sections[0].points), (Strings{"What a stage is", "Why"}));
  EXPECT_EQ(sections[1].title, "Layers");
  EXPECT_EQ(Texts(sections[1].points), (Strings{"how they stack", "Order"}));
  EXPECT_EQ(plan.parts[0].drop, "KNOWLEDGE-DROP-b.md");
}

TEST(PlanParse, ALabelEndsTheListBeforeIt) {
  const Plan plan = Read(
      "## PART 1: Create a/01-b.md\n**Queries:**\n- \"one\"\n**Length**: 2k lines\n"
      "**Section 1: Bold** (~20 lines)\n- point\n");
  EXPECT_EQ(Texts(plan.parts[0].queries), (Strings{"one"}));
  EXPECT_EQ(plan.parts[0].line_budget, 2000U);
  EXPECT_EQ(plan.parts[0].sections.at(0).title, "Bold");
  EXPECT_EQ(plan.parts[0].sections.at(0).line_budget, 20U);
}

TEST(PlanParse, PrefersTheTargetThatSaysItsFolder) {
  const Plan plan = Read(
      "## PART 1: Create tex/00-mip.md\n- [ ] PART 1: Create gpu/tex/00-mip.md\n"
      "- [ ] Create extra/01-more.md\n");
  EXPECT_EQ(plan.parts[0].target, "gpu/tex/00-mip.md");
  EXPECT_EQ(Texts(plan.parts[0].targets), (Strings{"gpu/tex/00-mip.md", "extra/01-more.md"}));
}

TEST(PlanParse, SurvivesCrlfByteOrderMarkAndInvalidBytes) {
  const Plan plan = Read(
      "\xEF\xBB\xBF# T\r\n\r\n## PART 1: Create a/01-b.md\r\n- [x] PART 1: Create "
      "a/01-b.md\r\n- \xFF\xFE\r\n");
  EXPECT_EQ(plan.title, "T");
  ASSERT_EQ(plan.parts.size(), 1U);
  EXPECT_EQ(plan.parts[0].status, PartStatus::kDone);
  EXPECT_EQ(plan.parts[0].target, "a/01-b.md");
}

TEST(PlanParse, AFenceThatIsNeverClosedHidesNothing) {
  const LoadedPlan loaded =
      Parse("plan.md", "## PART 1: a\n```python\nprint(1)\n## PART 2: b\n- [ ] Search: \"q\"\n");
  EXPECT_EQ(loaded.plan.parts.size(), 2U);
  ASSERT_EQ(loaded.findings.size(), 1U);
  EXPECT_EQ(loaded.findings[0].code, "text/unclosed-fence");
  EXPECT_EQ(loaded.findings[0].place.line, 2U);
}

TEST(PlanParse, SaysWhatAPartLooksLikeWhenThereIsNone) {
  const LoadedPlan loaded = Parse("plan.md", "# Shopping\n- milk\n");
  ASSERT_EQ(loaded.findings.size(), 1U);
  EXPECT_EQ(loaded.findings[0].code, "plan/no-parts");
  EXPECT_FALSE(loaded.findings[0].hint.empty());
}

TEST(PlanParse, ReadsAHundredThousandParts) {
  std::string text = "# Many\n";
  for (int i = 1; i <= 100000; ++i) {
    text += "## PART " + std::to_string(i) + ": Create a/" + std::to_string(i) + "-x.md\n";
  }
  EXPECT_EQ(Read(text).parts.size(), 100000U);
}

TEST(PlanParse, ReadsAMegabyteOnOneLine) {
  const std::string long_line(1 << 20, '[');
  const Plan plan = Read("## PART 1: Create a/b.md\n- [ ] Search: \"" + long_line + "\"\n");
  EXPECT_EQ(plan.parts[0].queries.at(0).text.size(), long_line.size());
}

}  // namespace
}  // namespace sibyl::plan
