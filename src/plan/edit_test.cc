// SPDX-License-Identifier: Apache-2.0
#include "plan/edit.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace sibyl::plan {
namespace {

const std::string kPlan =
    "# P\r\n\r\n## PART 1: One\r\n- [ ] PART 1: Create a/01-b.md  \r\ntext \xFF\r\n"
    "## PART 2: Two\r\nno box\r\n";

Part PartOf(const std::string& text, std::size_t index) {
  return Parse("p.md", text).plan.parts.at(index);
}

TEST(TickPart, ChangesTheMarkAndAddsTheNote) {
  const std::string ticked = *TickPart(kPlan, PartOf(kPlan, 0), "2026-11-15 03:00");
  EXPECT_EQ(ticked,
            "# P\r\n\r\n## PART 1: One\r\n- [x] PART 1: Create a/01-b.md (Completed 2026-11-15 "
            "03:00)  \r\ntext \xFF\r\n## PART 2: Two\r\nno box\r\n");
  const Part part = PartOf(ticked, 0);
  EXPECT_EQ(part.status, PartStatus::kDone);
  EXPECT_EQ(part.completed, "2026-11-15 03:00");
  EXPECT_EQ(*TickPart(ticked, part, "2027-01-01"), ticked) << "done is done";
}

TEST(TickPart, GivesAPartWithoutABoxALineOfItsOwn) {
  const std::string ticked = *TickPart(kPlan, PartOf(kPlan, 1), "2026-11-15");
  EXPECT_NE(ticked.find("## PART 2: Two\r\n\r\n- [x] PART 2: (Completed 2026-11-15)\r\nno box"),
            std::string::npos)
      << ticked;
  EXPECT_EQ(PartOf(ticked, 1).status, PartStatus::kDone);
}

TEST(MarkPartFailed, SaysWhyAndGivesWayToSuccess) {
  const std::string failed =
      *MarkPartFailed(kPlan, PartOf(kPlan, 0), "2026-11-15", "no source (yet)\nfor it");
  EXPECT_NE(
      failed.find("- [/] PART 1: Create a/01-b.md (Failed 2026-11-15: no source [yet] for it)"),
      std::string::npos)
      << failed;
  EXPECT_EQ(PartOf(failed, 0).status, PartStatus::kFailed);
  const std::string again = *MarkPartFailed(failed, PartOf(failed, 0), "2026-11-16", "worse");
  EXPECT_EQ(again.find("no source"), std::string::npos);
  const std::string ticked = *TickPart(again, PartOf(again, 0), "2026-11-17");
  EXPECT_EQ(ticked, *TickPart(kPlan, PartOf(kPlan, 0), "2026-11-17"));
}

TEST(TickPart, RefusesAPlanThatHasChanged) {
  const Part part = PartOf(kPlan, 0);
  EXPECT_FALSE(TickPart("short", part, "2026-11-15").ok());
  EXPECT_FALSE(TickPart("x" + kPlan, part, "2026-11-15").ok());
}

// Lines as people might write them, with a part somewhere among them.
std::string RandomPlan() {
  static const std::vector<std::string> kLines = {"# Title",
                                                  "text",
                                                  "",
                                                  "- [ ] item",
                                                  "```",
                                                  "```md",
                                                  "## Section 1: x",
                                                  "- [✓] Search: \"q\"",
                                                  "\xFF\xFE bytes",
                                                  "  - nested",
                                                  "**Goal**: g",
                                                  "## Summary",
                                                  "\tтекст",
                                                  "- [x] PART 9 COMPLETE"};
  std::string text;
  const auto add_lines = [&text] {
    for (const auto index : *rc::gen::container<std::vector<int>>(
             rc::gen::inRange(0, static_cast<int>(kLines.size())))) {
      text += kLines[static_cast<std::size_t>(index)];
      text += *rc::gen::element(std::string("\n"), std::string("\r\n"));
    }
  };
  add_lines();
  text += "## PART 1: Create a/01-b.md\n";
  if (*rc::gen::arbitrary<bool>()) text += "- [ ] PART 1: Create a/01-b.md\n";
  add_lines();
  return text;
}

TEST(TickPart, ChangesOnlyItsOwnBytes) {
  rc::check([] {
    const std::string text = RandomPlan();
    const Plan plan = Parse("p.md", text).plan;
    for (const Part& part : plan.parts) {
      if (part.status == PartStatus::kDone) continue;
      const Result<std::string> ticked = TickPart(text, part, "2026-11-15");
      RC_ASSERT(ticked.ok());
      const std::string note = " (Completed 2026-11-15)";
      std::string undone = *ticked;
      if (part.checkbox) {
        RC_ASSERT(undone.substr(0, part.checkbox->mark_begin) ==
                  text.substr(0, part.checkbox->mark_begin));
        undone.replace(part.checkbox->mark_begin, 1,
                       text.substr(part.checkbox->mark_begin,
                                   part.checkbox->mark_end - part.checkbox->mark_begin));
        undone.erase(undone.find(note, part.checkbox->mark_begin), note.size());
        RC_ASSERT(undone == text);
      } else {
        RC_ASSERT(ticked->size() > text.size());
      }
      const Plan after = Parse("p.md", *ticked).plan;
      RC_ASSERT(after.parts.size() == plan.parts.size());
    }
  });
}

}  // namespace
}  // namespace sibyl::plan
