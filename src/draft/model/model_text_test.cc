// SPDX-License-Identifier: Apache-2.0
#include "draft/model/model_text.h"

#include <gtest/gtest.h>

namespace sibyl::draft {
namespace {

constexpr const char* kKey = "kbcdfghjk";
constexpr const char* kOther = "kmnpqrstb";

std::vector<ModelUnit> Units(const std::string& text) {
  return ReadModelText("=== 1\n" + text, 1).at(0).units;
}

std::vector<std::string> Texts(const std::string& text) {
  std::vector<std::string> texts;
  for (const ModelUnit& unit : Units(text)) texts.push_back(unit.text);
  return texts;
}
using Strings = std::vector<std::string>;

TEST(ModelText, SentencesAreUnitsWithTheirKeys) {
  const auto units = Units(
      "The cache is read first [kbcdfghjk:3-5]. Then `a.b` is tried, e.g. When asked. "
      "[kmnpqrstb]\nIt costs 1.5 ms [kbcdfghjk, kmnpqrstb].");
  ASSERT_EQ(units.size(), 3U);
  EXPECT_EQ(units[0].text, "The cache is read first.");
  EXPECT_EQ(units[0].marks, Strings{"kbcdfghjk:3-5"});
  EXPECT_EQ(units[1].text, "Then `a.b` is tried, e.g. When asked.");
  EXPECT_EQ(units[1].marks, Strings{kOther});
  EXPECT_EQ(units[2].text, "It costs 1.5 ms.");
  EXPECT_EQ(units[2].marks, (Strings{kKey, kOther}));
  EXPECT_EQ(units[0].group, units[2].group);
}

TEST(ModelText, StretchesBelongToThePointsThatWereAsked) {
  const auto points = ReadModelText(
      "Sure, here it is.\n=== 2\nTwo.\n=== 9\nNine.\n=== 1 ===\n\nNOT FOUND\nBut I think so.\n", 2);
  EXPECT_TRUE(points[0].units.empty());
  ASSERT_EQ(points[1].units.size(), 1U);
  EXPECT_EQ(points[1].units[0].text, "Two.");
}

TEST(ModelText, NothingOfAModelsMarkupGetsThrough) {
  EXPECT_EQ(Texts("# Heading\nSee [the docs](https://evil.example/x?y=1) and ![pic](p.png) "
                  "<script>alert(1)</script> now[^1]."),
            Strings{"See the docs and pic alert(1) now."});
  EXPECT_EQ(Texts("Visit https://evil.example/now."), Strings{"Visit `https://evil.example/now`."});
  EXPECT_EQ(Texts("a < b and [x] stay"), Strings{"a \\< b and \\[x] stay"});
  EXPECT_EQ(Texts("[^1]: swh:1:cnt:0000"), Strings{"\\: swh:1:cnt:0000"});
  EXPECT_EQ(Texts("`<b>` stays"), Strings{"`<b>` stays"});
}

TEST(ModelText, CodeEndsAtTheFenceThatClosesIt) {
  const auto point =
      ReadModelText("=== 1\n~~~~ md\n```sh\nmake\n```\n~~~~\n[kbcdfghjk]\nA sentence.\n", 1)[0];
  ASSERT_EQ(point.units.size(), 2U);
  EXPECT_EQ(point.units[0].kind, UnitKind::kCode);
  EXPECT_EQ(point.units[0].info, "md");
  EXPECT_EQ(point.units[0].text, "```sh\nmake\n```");
  EXPECT_EQ(point.units[1].text, "A sentence.");
}

TEST(ModelText, ListsQuotesTablesAndCodeKeepTheirKind) {
  const auto point = ReadModelText(
      "=== 1\n- first [kbcdfghjk]\n  goes on\n2. second\n> quoted words [kbcdfghjk]\n"
      "| a | b |\n|---|---|\n| 1 | 2 [kmnpqrstb] |\n\n```CMake example\nset(A 1)\n\n```\n"
      "[kbcdfghjk:7]\n",
      1)[0];
  ASSERT_EQ(point.units.size(), 5U);
  EXPECT_EQ(point.units[0].kind, UnitKind::kItem);
  EXPECT_EQ(point.units[0].text, "first goes on");
  EXPECT_EQ(point.units[1].kind, UnitKind::kItem);
  EXPECT_EQ(point.units[2].kind, UnitKind::kQuote);
  EXPECT_EQ(point.units[3].kind, UnitKind::kRow);
  EXPECT_EQ(point.units[3].text, "| 1 | 2 |");
  EXPECT_EQ(point.table_heads[point.units[3].group], (Strings{"| a | b |", "|---|---|"}));
  EXPECT_EQ(point.units[4].kind, UnitKind::kCode);
  EXPECT_EQ(point.units[4].info, "cmake");
  EXPECT_EQ(point.units[4].text, "set(A 1)");
  EXPECT_EQ(point.units[4].marks, Strings{"kbcdfghjk:7"});
}

TEST(ModelText, KeysAloneBelongToWhatStandsBefore) {
  const auto units = Units("- one\n\n[kbcdfghjk]\n");
  ASSERT_EQ(units.size(), 1U);
  EXPECT_EQ(units[0].marks, Strings{kKey});
}

TEST(ModelText, ALineCannotBecomeSomethingElse) {
  EXPECT_EQ(Texts("It holds. 3) is not so. 2.5 is a number."),
            (Strings{"It holds.", "3\\) is not so.", "2.5 is a number."}));
  EXPECT_EQ(Texts("== is a sign"), Strings{"\\== is a sign"});
}

}  // namespace
}  // namespace sibyl::draft
