// SPDX-License-Identifier: Apache-2.0
#include "draft/model/manuscript.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

namespace sibyl::draft {
namespace {

Gathered TwoSections() {
  Gathered gathered;
  gathered.sections.resize(2);
  for (GatheredSection& section : gathered.sections) {
    section.title = "Sizes";
    section.points.resize(2);
    section.points[0].point = "Cache size";
    section.points[1].point = "Queue length";
  }
  gathered.sections[1].points[1].covered = KnownPlace{.path = "a/01-b.md", .title = "B"};
  return gathered;
}

constexpr const char* kReason = "not shown";

class ManuscriptTest : public testing::Test {
 protected:
  ManuscriptTest() { manuscript_.Begin(TwoSections()); }

  std::vector<Omission> Losses() const {
    return manuscript_.Losses({}, {.kind = LossKind::kLines, .reason = kReason});
  }
  std::string WhyLost(std::string_view words) const {
    for (const Omission& loss : Losses()) {
      if (loss.text.find(words) != std::string::npos) return loss.reason;
    }
    return "";
  }

  Manuscript manuscript_;
};

TEST_F(ManuscriptTest, WhatNothingRefusedAndIsNotShownIsALossToo) {
  manuscript_.Keep(0, ReadModelText("=== 1\nIt holds 48 KB [kbcdfghjk].\n", 2));
  ASSERT_EQ(Losses().size(), 1U);
  EXPECT_EQ(Losses()[0].text, "It holds 48 KB.");
  EXPECT_EQ(Losses()[0].point, "Cache size");
  EXPECT_EQ(Losses()[0].reason, kReason);
  EXPECT_TRUE(manuscript_.Losses({0}, {}).empty());
}

TEST(RefersBack, PronounsAtTheBeginning) {
  for (const char* text : {"It waits.", "**This** is slow.", "The latter waits.", "Both wait.",
                           "Both are read.", "Those are read.", "That is why it waits.",
                           "Neither is read.", "In that table it waits.", "For these ops"}) {
    EXPECT_TRUE(RefersBack(text)) << text;
  }
  for (const char* text : {"Items wait.", "The cache waits.", "There is a cache.", "`it` waits.",
                           "That a kernel waits means nothing.", "", "Then it waits.",
                           "In the cache", "Both scales must be contiguous."}) {
    EXPECT_FALSE(RefersBack(text)) << text;
  }
}

// Found by a stranger: "It is a less performant version" was about another function.
TEST_F(ManuscriptTest, AStatementThatRefersToALostOneIsAnOrphan) {
  manuscript_.Keep(0, ReadModelText("=== 1\nA cache [kbcdfghjk]. It holds 48 KB [kbcdfghjk]. "
                                    "A queue [kbcdfghjk].\n",
                                    2));
  const UnitPlace it{.section = 0, .point = 0, .unit = 1};
  EXPECT_FALSE(manuscript_.IsOrphan(it, {0, 1, 2}));
  EXPECT_TRUE(manuscript_.IsOrphan(it, {1, 2}));
  EXPECT_FALSE(manuscript_.IsOrphan({.section = 0, .point = 0, .unit = 2}, {2}));
  ModelRepair by;
  by.units.push_back({.text = "A cache.", .info = {}, .marks = {"kbcdfghjk"}});
  manuscript_.Replace({.section = 0, .point = 0, .unit = 0}, by,
                      {.kind = LossKind::kGate, .reason = "no"});
  EXPECT_FALSE(manuscript_.IsOrphan({.section = 0, .point = 0, .unit = 2}, {1, 2, 3}));
}

TEST_F(ManuscriptTest, TitlesAreNoStatementsAndOtherHeadingsAreLosses) {
  manuscript_.Keep(0, ReadModelText("=== 1: Cache size\n### Sizes\n## It is 48 KB\nA.\n", 2));
  EXPECT_EQ(WhyLost("It is 48 KB"), "headings are not used");
  EXPECT_EQ(Losses().size(), 2U);
}

TEST_F(ManuscriptTest, WhatIsWrittenAboutAKnownPointIsALoss) {
  manuscript_.Keep(1, ReadModelText("=== 2\nIt has 64 [kbcdfghjk].\n", 2));
  EXPECT_EQ(WhyLost("64"), "the oracle has a page about this point already");
}

TEST_F(ManuscriptTest, ACorrectedStatementIsNotedAndItsCorrectionIsKept) {
  manuscript_.Keep(0, ReadModelText("=== 1\nOne. Two. Three.\n", 2));
  const UnitPlace two{.section = 0, .point = 0, .unit = 1};
  const ModelUnit failed = manuscript_.UnitAt(two);
  ModelRepairs repairs = ReadRepairs("#1: Better.\n", {&failed}, 2);
  manuscript_.Replace(two, std::move(repairs.of[0]), {.kind = LossKind::kGate, .reason = "no"});
  std::vector<std::string> kept;
  manuscript_.ForEachKept([&](const UnitPlace& place, const std::vector<std::size_t>&,
                              std::size_t) { kept.push_back(manuscript_.UnitAt(place).text); });
  EXPECT_EQ(kept, (std::vector<std::string>{"One.", "Better.", "Three."}));
  const auto losses = Losses();
  const auto corrected = std::find_if(losses.begin(), losses.end(), [](const Omission& loss) {
    return loss.kind == LossKind::kCorrected;
  });
  ASSERT_NE(corrected, losses.end());
  EXPECT_EQ(corrected->text, "Two.");
}

TEST_F(ManuscriptTest, ALineOfTheProgramIsNeverALoss) {
  manuscript_.Keep(0, ReadModelText("=== 1\nThese:\n\n- a\n", 2));
  manuscript_.Refuse({}, {.kind = LossKind::kGate, .reason = "no"});
  manuscript_.AddOwn({}, "Neutral:");
  EXPECT_EQ(WhyLost("These"), "no");
  EXPECT_EQ(WhyLost("Neutral"), "");
  manuscript_.Refuse({.section = 0, .point = 0, .unit = 1}, {});
  EXPECT_EQ(WhyLost("Neutral"), "");
}

TEST_F(ManuscriptTest, TheHeadOfATableIsLostWithItsRows) {
  manuscript_.Keep(0, ReadModelText("=== 1\n| Level | Size |\n|---|---|\n| O0 | 1 |\n", 2));
  EXPECT_NE(WhyLost("Level").find(kReason), std::string::npos);
  EXPECT_TRUE(manuscript_.Losses({0}, {}).empty());
}

TEST_F(ManuscriptTest, RepeatedStatementsOfARestAreThereOnce) {
  manuscript_.Keep(0, ReadModelText("=== 1\nOne.\n", 2));
  manuscript_.KeepRest(0, ReadModelText("=== 1\nOne. Two.\n", 2));
  EXPECT_EQ(manuscript_.points()[0][0].units.size(), 2U);
}

// Whatever is done to it, each statement is kept or a loss, never both and never
// neither.
RC_GTEST_PROP(Manuscript, AccountsForEveryStatement, ()) {
  Manuscript manuscript;
  manuscript.Begin(TwoSections());
  std::vector<std::string> planted;
  const auto word = [&] {
    planted.push_back("w" + std::to_string(planted.size()) + "x");
    return planted.back();
  };
  const auto steps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 6));
  for (const int step : steps) {
    if (step < 2) {
      manuscript.Keep(static_cast<std::size_t>(step),
                      ReadModelText("=== 1\n" + word() + ".\n\n- " + word() + "\n=== 2\n" + word() +
                                        ".\n=== 9\n" + word() + "\n",
                                    2));
      continue;
    }
    std::vector<UnitPlace> places;
    manuscript.ForEachKept([&](const UnitPlace& place, const std::vector<std::size_t>&,
                               std::size_t) { places.push_back(place); });
    if (places.empty()) continue;
    const UnitPlace place = places[*rc::gen::inRange<std::size_t>(0, places.size())];
    const Refusal why{.kind = LossKind::kGate, .reason = "no"};
    if (step == 2) {
      manuscript.Refuse(place, why);
    } else if (step == 3) {
      manuscript.AddOwn(place, "Neutral:");
    } else if (step == 4) {
      manuscript.Replace(place, std::nullopt, why);
    } else {
      const ModelUnit failed = manuscript.UnitAt(place);
      ModelRepairs repairs = ReadRepairs("#1: " + word() + ".\n", {&failed}, 2);
      manuscript.Replace(place, std::move(repairs.of[0]), why);
    }
  }
  std::set<std::size_t> shown;
  std::string texts;
  manuscript.ForEachKept([&](const UnitPlace& place, const std::vector<std::size_t>&, std::size_t) {
    shown.insert(manuscript.UnitAt(place).id);
    texts += manuscript.UnitAt(place).text + '\n';
  });
  for (const Omission& loss : manuscript.Losses(shown, {})) {
    RC_ASSERT(!loss.reason.empty());
    texts += loss.text + '\n';
  }
  for (const std::string& one : planted) {
    const std::size_t at = texts.find(one);
    RC_ASSERT(at != std::string::npos);
    RC_ASSERT(texts.find(one, at + 1) == std::string::npos);
  }
}

}  // namespace
}  // namespace sibyl::draft
