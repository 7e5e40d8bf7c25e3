// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/units.h"

#include <gtest/gtest.h>

namespace sibyl::draft {
namespace {

std::string Long(std::string_view start) {
  std::string text(start);
  for (int i = 0; i < 12; ++i) text += "\nA further line of this section.\n";
  return text;
}

const Unit* UnitWith(const std::vector<Unit>& units, std::string_view words) {
  for (const Unit& unit : units) {
    if (unit.text.find(words) != std::string::npos) return &unit;
  }
  return nullptr;
}

TEST(Units, AListIsKeptWithWhatIntroducesIt) {
  const auto units =
      ReadUnits("markdown", true,
                Long("# Modes\n\nThe modes are:\n\n- fast\n- exact\n\nAnother paragraph.\n"));
  const Unit* unit = UnitWith(units, "The modes are");
  ASSERT_NE(unit, nullptr);
  EXPECT_EQ(unit->text, "The modes are:\n\n- fast\n- exact");
  EXPECT_EQ(unit->first_line, 3U);
  EXPECT_EQ(unit->last_line, 6U);
}

TEST(Units, AnItemOfALongListHasItsIntroduction) {
  std::string text = "The modes are:\n\n";
  for (int i = 0; i < 30; ++i) text += "- mode " + std::to_string(i) + "\n";
  const auto units = ReadUnits("markdown", true, text);
  ASSERT_EQ(units.size(), 30U);
  EXPECT_EQ(units[7].lead, "The modes are:");
  EXPECT_EQ(units[7].text, "- mode 7");
}

TEST(Units, ASampleIsKeptWithItsText) {
  const auto units = ReadUnits("markdown", true, Long("Build it with\n\n```\nmake all\n```\n"));
  const Unit* unit = UnitWith(units, "make all");
  ASSERT_NE(unit, nullptr);
  EXPECT_EQ(unit->kind, UnitKind::kSample);
  EXPECT_EQ(unit->first_line, 1U);
}

TEST(Units, AShortSectionIsOne) {
  const auto units =
      ReadUnits("rst", true, "CACHE_KB\n--------\n\nThe size.\n\nThe default is 4.\n");
  ASSERT_EQ(units.size(), 1U);
  EXPECT_EQ(units[0].first_line, 4U);
  EXPECT_EQ(units[0].last_line, 6U);
}

TEST(Units, AnArgumentOfADocstringGoesToItsEnd) {
  const auto units = ReadUnits(
      "python", false,
      "def load(path, mode):\n    \"\"\"Loads it.\n\n    Args:\n        path (str): where it is,\n"
      "            as a file name.\n        mode (str): how it is read.\n            Default: "
      "fast\n"
      "        more (int): unused\n        less (int): unused, too\n    \"\"\"\n    return "
      "open(path)\n");
  const Unit* unit = UnitWith(units, "mode (str)");
  ASSERT_NE(unit, nullptr);
  EXPECT_EQ(unit->first_line, 7U);
  EXPECT_EQ(unit->last_line, 8U);
  EXPECT_EQ(unit->lead, "Args:");
}

TEST(Units, ACommentIsKeptWithItsStatement) {
  const auto units =
      ReadUnits("c++", false, "/**\n * The device is lost.\n */\nkLost = 7,\n\nint x;\n");
  ASSERT_FALSE(units.empty());
  EXPECT_EQ(units[0].last_line, 4U);
  EXPECT_TRUE(units[0].has_comment);
}

TEST(Units, AStatementWithARemarkIsOne) {
  const auto units = ReadUnits("c", false, "#define A 1 /* first */\n#define B 2 /* second */\n");
  ASSERT_EQ(units.size(), 2U);
  EXPECT_EQ(units[1].first_line, 2U);
}

TEST(Units, TextThatBeginsInsideACommentIsRead) {
  const auto units = ReadUnits("c", false, " * It is freed later.\n *\n * Use it twice.\n");
  ASSERT_EQ(units.size(), 2U);
  EXPECT_EQ(units[0].text, "It is freed later.");
}

TEST(Units, NothingIsInNothing) {
  EXPECT_TRUE(ReadUnits("markdown", true, "").empty());
  EXPECT_TRUE(ReadUnits("c", false, "\n\n").empty());
  EXPECT_TRUE(ReadCardUnits("c", false, "\n").empty());
}

TEST(Units, AVersionIsReadWithWhatItAdded) {
  // More lines than a section that is read as a whole.
  const std::string text =
      "preset\n======\n\n.. versionadded:: 3.19\n\nPresets are files.\n\n" +
      std::string("Another paragraph.\n\nAnd more.\n\nOne.\n\nTwo.\n\nThree.\n\nFour.\n\n") +
      "Five.\n\nSix.\n\nSeven.\n\nEight.\n";
  const std::vector<Unit> units = ReadUnits("rst", true, text);
  ASSERT_FALSE(units.empty());
  EXPECT_NE(units[0].text.find("3.19"), std::string::npos);
  EXPECT_NE(units[0].text.find("Presets are files."), std::string::npos);
  EXPECT_EQ(units[0].text.find("Another"), std::string::npos);
  const std::vector<Unit> of_a_point = ReadUnits("rst", true, text, Asker::kPlan);
  ASSERT_FALSE(of_a_point.empty());
  EXPECT_EQ(of_a_point[0].text.find("Presets"), std::string::npos);
}

}  // namespace
}  // namespace sibyl::draft
