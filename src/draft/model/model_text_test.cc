// SPDX-License-Identifier: Apache-2.0
#include "draft/model/model_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace sibyl::draft {
namespace {

constexpr const char* kKey = "kbcdfghjk";
constexpr const char* kOther = "kmnpqrstb";

std::vector<ModelUnit> Units(const std::string& text) {
  return ReadModelText("=== 1\n" + text, 1).points.at(0).units;
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

TEST(ModelText, KeysMayGiveWords) {
  const auto units = Units(
      "The cache is read first [kbcdfghjk:3-5 \"read first. It\"]. It has `a[i]` [kbcdfghjk:4 "
      "\"a[i] is 4, or 5\", kmnpqrstb].");
  ASSERT_EQ(units.size(), 2U);
  EXPECT_EQ(units[0].text, "The cache is read first.");
  EXPECT_EQ(units[0].marks, Strings{"kbcdfghjk:3-5 \"read first. It\""});
  EXPECT_EQ(units[1].text, "It has `a[i]`.");
  EXPECT_EQ(units[1].marks, (Strings{"kbcdfghjk:4 \"a[i] is 4, or 5\"", kOther}));
}

// Issue 26: the rest of such words stayed on the page, or the statement had no key.
TEST(ModelText, WordsOfCodeHaveQuotationMarksAndBrackets) {
  struct Case {
    std::string words;
    std::string read;
  };
  for (const Case& each :
       std::vector<Case>{{R"(os.getenv("NVTE", "1"))", R"(os.getenv("NVTE", "1"))"},
                         {R"(a["x"].b)", R"(a["x"].b)"},
                         {R"(f("x"))", R"(f("x"))"},
                         {R"(device=\"mixed\",)", R"(device="mixed",)"},
                         {R"(os.environ["ARCH"] = "7.5;8.0")", R"(os.environ["ARCH"] = "7.5;8.0")"},
                         {R"(state["stage"] is READY:)", R"(state["stage"] is READY:)"},
                         {R"(a["x"]["b"] = c["y"])", R"(a["x"]["b"] = c["y"])"},
                         {R"(config[\"amp\"])", R"(config["amp"])"},
                         {R"(tile[TILE_DIM][TILE_DIM + 1])", R"(tile[TILE_DIM][TILE_DIM + 1])"},
                         {R"(cp.async [%1], [%2], %3;)", R"(cp.async [%1], [%2], %3;)"}}) {
    const auto units =
        Units("It is set [kbcdfghjk:3-4 \"" + each.words + "\"]. Then it ends [" + kOther + "].");
    ASSERT_EQ(units.size(), 2U) << each.words;
    EXPECT_EQ(units[0].text, "It is set.") << each.words;
    EXPECT_EQ(units[0].marks, Strings{"kbcdfghjk:3-4 \"" + each.read + "\""});
    EXPECT_EQ(units[1].text, "Then it ends.") << each.words;
  }
  const auto two = Units(R"x(It is [kbcdfghjk:3 "f("x", 1)", kmnpqrstb:4 "c"].)x");
  ASSERT_EQ(two.size(), 1U);
  EXPECT_EQ(two[0].text, "It is.");
  EXPECT_EQ(two[0].marks.size(), 2U);
}

// Found by a stranger: half of such words became text of the page.
TEST(ModelText, WordsOfAKeyMayHaveQuotationMarksAndBrackets) {
  const auto units = Units(
      "A [kbcdfghjk:3 \"**config[\\\"precision\\\"][yaml_args.precision],\"]. "
      "B [kbcdfghjk:4 \"device=\\\"mixed\\\",\", kmnpqrstb].\n"
      "D [kbcdfghjk:6 \"int(size(\\\"Reader\\\") / (world_size * batch_size)),\"].\n");
  ASSERT_EQ(units.size(), 3U);
  EXPECT_EQ(units[0].text, "A.");
  EXPECT_EQ(units[0].marks,
            Strings{"kbcdfghjk:3 \"**config[\"precision\"][yaml_args.precision],\""});
  EXPECT_EQ(units[1].text, "B.");
  EXPECT_EQ(units[1].marks, (Strings{"kbcdfghjk:4 \"device=\"mixed\",\"", kOther}));
  EXPECT_EQ(units[2].text, "D.");
}

TEST(ModelText, StretchesBelongToThePointsThatWereAsked) {
  const auto points =
      ReadModelText(
          "Sure, here it is.\n=== 2\nTwo.\n=== 9\nNine.\n=== 1 ===\n\nNOT FOUND\nBut I think so.\n",
          2)
          .points;
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
  EXPECT_EQ(Texts("Run `pip install  .` [x](y.md) ."), Strings{"Run `pip install  .` x."});
}

TEST(ModelText, CodeEndsAtTheFenceThatClosesIt) {
  const auto point =
      ReadModelText("=== 1\n~~~~ md\n```sh\nmake\n```\n~~~~\n[kbcdfghjk]\nA sentence.\n", 1)
          .points[0];
  ASSERT_EQ(point.units.size(), 2U);
  EXPECT_EQ(point.units[0].kind, WrittenKind::kCode);
  EXPECT_EQ(point.units[0].info, "md");
  EXPECT_EQ(point.units[0].text, "```sh\nmake\n```");
  EXPECT_EQ(point.units[1].text, "A sentence.");
}

TEST(ModelText, ListsQuotesTablesAndCodeKeepTheirKind) {
  const auto point =
      ReadModelText(
          "=== 1\n- first [kbcdfghjk]\n  goes on\n2. second\n> quoted words [kbcdfghjk]\n"
          "| a | b |\n|---|---|\n| 1 | 2 [kmnpqrstb] |\n\n```CMake example\nset(A 1)\n\n```\n"
          "[kbcdfghjk:7]\n",
          1)
          .points[0];
  ASSERT_EQ(point.units.size(), 5U);
  EXPECT_EQ(point.units[0].kind, WrittenKind::kItem);
  EXPECT_EQ(point.units[0].text, "first goes on");
  EXPECT_EQ(point.units[1].kind, WrittenKind::kItem);
  EXPECT_EQ(point.units[2].kind, WrittenKind::kQuote);
  EXPECT_EQ(point.units[3].kind, WrittenKind::kRow);
  EXPECT_EQ(point.units[3].text, "| 1 | 2 |");
  EXPECT_EQ(point.table_heads[point.units[3].group], (Strings{"| a | b |", "|---|---|"}));
  EXPECT_EQ(point.units[4].kind, WrittenKind::kCode);
  EXPECT_EQ(point.units[4].info, "cmake");
  EXPECT_EQ(point.units[4].text, "set(A 1)");
  EXPECT_EQ(point.units[4].marks, Strings{"kbcdfghjk:7"});
}

// Issue 26: every table of a page had an empty column "Source".
TEST(ModelText, AColumnThatHasOnlyKeysIsTakenAway) {
  const auto point =
      ReadModelText(
          "=== 1\n| a | b | Source |\n|---|---|---|\n| 1 | `x \\| y` | [kbcdfghjk:3 \"a|b\"] |\n"
          "| 2 | | [kbcdfghjk:4] |\n",
          1)
          .points[0];
  ASSERT_EQ(point.units.size(), 2U);
  EXPECT_EQ(point.table_heads[point.units[0].group], (Strings{"| a | b |", "| --- | --- |"}));
  EXPECT_EQ(point.units[0].text, "| 1 | `x \\| y` |");
  EXPECT_EQ(point.units[1].text, "| 2 | |");
  EXPECT_EQ(point.units[1].marks, Strings{"kbcdfghjk:4"});
}

TEST(ModelText, ColumnsWithAWordInARowStay) {
  const auto head = [](std::string_view rows) {
    const auto point = ReadModelText("=== 1\n| a | b |\n|---|---|\n" + std::string(rows), 1);
    return point.points[0].table_heads[point.points[0].units.at(0).group].front();
  };
  EXPECT_EQ(head("| | 1 [kbcdfghjk] |\n| 2 | [kbcdfghjk] |\n"), "| a | b |");
  EXPECT_EQ(head("| | [kbcdfghjk] |\n"), "| a | b |");
}

TEST(ModelText, StepsKeepTheirNumbers) {
  const auto point =
      ReadModelText("=== 1\n1. a [kbcdfghjk]\n2) b [kbcdfghjk]\n- c [kbcdfghjk]\n", 1).points[0];
  ASSERT_EQ(point.units.size(), 3U);
  EXPECT_EQ(point.units[0].step, 1U);
  EXPECT_EQ(point.units[1].step, 2U);
  EXPECT_EQ(point.units[2].step, 0U);
  const ModelRepairs repairs = ReadRepairs("#1: 2. better [kbcdfghjk]\n", {&point.units[1]}, 1);
  ASSERT_EQ(repairs.of[0]->units.size(), 1U);
  EXPECT_EQ(repairs.of[0]->units[0].step, 2U);
  EXPECT_EQ(repairs.of[0]->units[0].text, "better");
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

TEST(ModelText, ABackslashEscapesWhatItEscapesAndNothingElse) {
  EXPECT_EQ(Texts(R"(a\_b and \*c\* stay)"), Strings{R"(a\_b and \*c\* stay)"});
  EXPECT_EQ(Texts(R"(\<b> is not a tag)"), Strings{R"(\<b> is not a tag)"});
  EXPECT_EQ(Texts(R"(\[x](y) is not a link)"), Strings{R"(\[x](y) is not a link)"});
  EXPECT_EQ(Texts(R"(\\<b>x</b>)"), Strings{R"(\\x)"}) << "an escaped backslash, then a tag";
  EXPECT_EQ(Texts(R"(C:\new)"), Strings{R"(C:\new)"});
}

TEST(ModelText, ABackslashAtTheEndCannotEscapeTheMarkThatFollows) {
  EXPECT_EQ(Texts("It ends in \\"), Strings{"It ends in \\\\"});
  EXPECT_EQ(Texts("It ends in \\ [kbcdfghjk]"), Strings{"It ends in \\\\"});
}

TEST(ModelText, ATagOverTwoSentencesIsNoTag) {
  EXPECT_EQ(Texts("See \\<img src=//x.org/p alt=\"a. B\"> now."),
            (Strings{"See \\<img src=//x.org/p alt=\"a.", "B\"> now."}));
  EXPECT_EQ(Texts("See <img alt=\"a. B\"> now."), (Strings{"See \\<img alt=\"a.", "B\"> now."}));
}

TEST(ModelText, AddressesOfEveryKindAreCode) {
  for (const char* url : {"http://x.org", "HTTPS://x.org/a_b", "www.x.org", "ftp://x.org/a"}) {
    EXPECT_EQ(Texts("Go to " + std::string(url) + "."),
              Strings{"Go to `" + std::string(url) + "`."});
  }
  EXPECT_EQ(Texts("<https://x.org> stays"), Strings{"`https://x.org` stays"});
  EXPECT_EQ(Texts("Go to \\www.x.org"), Strings{"Go to \\\\`www.x.org`"});
}

TEST(ModelText, ImagesInLinksLeaveNoAddress) {
  for (const char* text :
       {"[![alt](a.png)](https://x.org)", "[a[b](c)](d)", "[a](b(c)d)", "[a](b"}) {
    for (const std::string& shown : Texts("See " + std::string(text) + " now.")) {
      EXPECT_EQ(shown.find("[a"), std::string::npos) << shown;
      EXPECT_EQ(shown.find("](b"), std::string::npos) << shown;
    }
  }
}

TEST(ModelText, KeysAreReadWhereverTheyAreInASentence) {
  const auto units = Units("First [kbcdfghjk:1] then [kmnpqrstb; kbcdfghjk:1] it works.");
  ASSERT_EQ(units.size(), 1U);
  EXPECT_EQ(units[0].text, "First then it works.");
  EXPECT_EQ(units[0].marks, (Strings{"kbcdfghjk:1", kOther}));
}

TEST(ModelText, BracketsThatAreNoKeysStay) {
  EXPECT_EQ(Texts("An array [0, 1] is [kbcdfghjk, not].")[0],
            "An array \\[0, 1] is \\[kbcdfghjk, not].");
  EXPECT_TRUE(Units("An array [] ends.")[0].marks.empty());
}

TEST(ModelText, KeysBeforeAnyUnitBelongToNone) { EXPECT_TRUE(Units("[kbcdfghjk]\n").empty()); }

TEST(ModelText, KeysAfterCodeAreItsOwnOnlyWhenTheyAreAlone) {
  const auto units = Units("```\nx\n```\nNot a key line [kbcdfghjk].\n");
  ASSERT_EQ(units.size(), 2U);
  EXPECT_TRUE(units[0].marks.empty());
  EXPECT_EQ(units[1].marks, Strings{kKey});
}

TEST(ModelText, CodeThatIsNotClosedEndsWithTheAnswer) {
  const auto units = Units("```python\nx = 1\n# y\n");
  ASSERT_EQ(units.size(), 1U);
  EXPECT_EQ(units[0].text, "x = 1\n# y");
  EXPECT_TRUE(Units("```\n```\n").empty()) << "nothing is in it";
}

TEST(ModelText, TheLanguageOfCodeIsOneWord) {
  EXPECT_EQ(Units("```C++ check title=x\nx\n```\n")[0].info, "c++");
  EXPECT_EQ(Units("```{.py}\nx\n```\n")[0].info, "");
  EXPECT_EQ(Units("```example\nx\n```\n")[0].info, "") << "it would not be checked";
}

TEST(ModelText, ATableWithoutARuleIsASentence) {
  const auto units = Units("| a | b |\n");
  ASSERT_EQ(units.size(), 1U);
  EXPECT_EQ(units[0].kind, WrittenKind::kSentence);
  EXPECT_EQ(units[0].text, "\\| a | b |");
}

TEST(ModelText, RulesAndHeadingsAreLeftOut) {
  EXPECT_EQ(Texts("# A\n***\nOne.\n- - -\n###### B\nTwo.\n"), (Strings{"One.", "Two."}));
}

TEST(ModelText, APointWithTooMuchIsCut) {
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "- item\n";
  EXPECT_EQ(Units(many).size(), 400U);
  EXPECT_TRUE(Units(std::string(10'000, 'x')).empty()) << "no sentence is that long";
}

TEST(ModelText, APointThatIsAnsweredTwiceHasBothPieces) {
  const auto points = ReadModelText("=== 1\nOne.\n=== 2\nTwo.\n=== 1\nThree.\n", 2).points;
  ASSERT_EQ(points[0].units.size(), 2U);
  EXPECT_EQ(points[0].units[1].text, "Three.");
}

TEST(ModelText, WithoutPointsOrAnAnswerThereIsNothing) {
  EXPECT_TRUE(ReadModelText("=== 1\nx\n", 0).points.empty());
  EXPECT_TRUE(ReadModelText("", 1).points.at(0).units.empty());
  EXPECT_TRUE(ReadModelText("Words without a number.\n", 1).points.at(0).units.empty());
  EXPECT_TRUE(ReadModelText("=== 99999999999999999999\nx\n", 1).points.at(0).units.empty());
}

TEST(ModelText, SlipsInTheLineOfAPointAreUnderstood) {
  for (const char* line : {"**=== 2**", "### === 2 ===", "=== Point 2", "=== 1.2", "`=== 2`",
                           "=== 2: The title", "> === 2"}) {
    const ModelText text = ReadModelText("=== 1\nOne.\n" + std::string(line) + "\nTwo.\n", 2);
    ASSERT_EQ(text.points[1].units.size(), 1U) << line;
    EXPECT_EQ(text.points[1].units[0].text, "Two.") << line;
    EXPECT_EQ(text.points[0].units.size(), 1U) << line;
  }
  EXPECT_TRUE(ReadModelText("=== 1: NOT FOUND\n", 1).points[0].units.empty());
}

TEST(ModelText, HeadingsSeparatePointsWhereNothingElseDoes) {
  const ModelText text = ReadModelText("## 1. First\nOne.\n### Point 2\nTwo.\n", 2);
  EXPECT_TRUE(text.has_points);
  ASSERT_EQ(text.points[1].units.size(), 1U);
  EXPECT_EQ(text.points[1].units[0].text, "Two.");
}

TEST(ModelText, AFenceAroundTheWholeAnswerIsNotCode) {
  const ModelText text = ReadModelText("```markdown\n=== 1\nOne.\n```\n", 1);
  ASSERT_EQ(text.points[0].units.size(), 1U);
  EXPECT_EQ(text.points[0].units[0].kind, WrittenKind::kSentence);
}

TEST(ModelText, KeysInOtherBracketsAreKeys) {
  for (const char* mark :
       {"(kbcdfghjk:3)", "[[kbcdfghjk:3]]", "`[kbcdfghjk:3]`", "【kbcdfghjk:3】"}) {
    const auto units = Units("It is `x` " + std::string(mark) + ".");
    ASSERT_EQ(units.size(), 1U) << mark;
    EXPECT_EQ(units[0].text, "It is `x`.") << mark;
    EXPECT_EQ(units[0].marks, Strings{"kbcdfghjk:3"}) << mark;
  }
  EXPECT_EQ(Units("It is `x`[kbcdfghjk:3].")[0].text, "It is `x`.");
}

TEST(ModelText, WhatBelongsToNoPointIsKeptForTheReport) {
  const ModelText text = ReadModelText("Here it is:\n=== 1\nOne.\n=== 7\nSeven.\n", 1);
  EXPECT_EQ(text.stray, (Strings{"Here it is:", "Seven."}));
  EXPECT_EQ(ReadModelText("=== 1\n" + std::string(5'000, 'x') + "\n", 1).points[0].unused.size(),
            1U);
}

TEST(ModelText, RemarksAboutAPointAreNotPrinted) {
  const ModelPoint point = ReadModelText(
                               "=== 1\n**CONTRADICTED**\nIt is not so [kbcdfghjk].\n"
                               "MORE kbcdfghjk:40-90, [kmnpqrstb:1-9]\n",
                               1)
                               .points[0];
  EXPECT_TRUE(point.is_contradicted);
  EXPECT_EQ(point.asks, (Strings{"kbcdfghjk:40-90", "kmnpqrstb:1-9"}));
  ASSERT_EQ(point.units.size(), 1U);
  EXPECT_EQ(point.units[0].text, "It is not so.");
  EXPECT_EQ(Texts("MORE memory is used."), Strings{"MORE memory is used."});
}

TEST(ModelRepairsRead, AStatementIsReplacedInItsFormOrDropped) {
  const ModelUnit sentence{.text = "A.", .info = {}, .marks = {}, .group = 3};
  const ModelUnit item{
      .kind = WrittenKind::kItem, .text = "b", .info = {}, .marks = {}, .group = 4};
  const ModelUnit row{.kind = WrittenKind::kRow, .text = "| c | d |", .info = {}, .marks = {}};
  const ModelUnit code{.kind = WrittenKind::kCode, .text = "x", .info = {}, .marks = {}};
  const ModelRepairs repairs = ReadRepairs(
      "#1: Better [kbcdfghjk:1]. And more [kbcdfghjk:2].\n**#2**: better item [kbcdfghjk]\n"
      "#3: | c | e [kbcdfghjk] |\n#4:\n```sh\n#1: not a number here\n```\n[kbcdfghjk:7]\n"
      "#5: DROP\n=== 2\nNew [kbcdfghjk].\n",
      {&sentence, &item, &row, &code, &sentence, &sentence}, 2);
  ASSERT_EQ(repairs.of[0]->units.size(), 2U);
  EXPECT_EQ(repairs.of[0]->units[0].text, "Better.");
  EXPECT_EQ(repairs.of[0]->units[1].group, 3U);
  ASSERT_EQ(repairs.of[1]->units.size(), 1U);
  EXPECT_EQ(repairs.of[1]->units[0].kind, WrittenKind::kItem);
  EXPECT_EQ(repairs.of[1]->units[0].text, "better item");
  ASSERT_EQ(repairs.of[2]->units.size(), 1U);
  EXPECT_EQ(repairs.of[2]->units[0].text, "| c | e |");
  ASSERT_EQ(repairs.of[3]->units.size(), 1U);
  EXPECT_EQ(repairs.of[3]->units[0].text, "#1: not a number here");
  EXPECT_EQ(repairs.of[3]->units[0].marks, Strings{"kbcdfghjk:7"});
  EXPECT_TRUE(repairs.of[4]->is_dropped);
  EXPECT_FALSE(repairs.of[5].has_value()) << "not mentioned";
  ASSERT_EQ(repairs.more.points[1].units.size(), 1U);
}

// Issue 26: each of these was passed over without a word.
TEST(ModelRepairsRead, WhatCannotReplaceAStatementIsKeptForTheReport) {
  const ModelUnit sentence{.text = "A.", .info = {}, .marks = {}};
  const ModelUnit row{.kind = WrittenKind::kRow, .text = "| c | d |", .info = {}, .marks = {}};
  const ModelRepairs repairs = ReadRepairs(
      "#1: One [kbcdfghjk].\n#2: a sentence [kbcdfghjk].\n#1: Two [kbcdfghjk].\n"
      "#9: Nine [kbcdfghjk].\n#3: Drop the cache first.\n#4: c | e [kbcdfghjk]\n",
      {&sentence, &row, &sentence, &row}, 1);
  ASSERT_EQ(repairs.of[0]->units.size(), 1U);
  ASSERT_EQ(repairs.of[0]->unused.size(), 1U);
  EXPECT_EQ(repairs.of[0]->unused[0].text, "Two.");
  EXPECT_TRUE(repairs.of[1]->units.empty());
  EXPECT_FALSE(repairs.of[1]->is_dropped);
  ASSERT_EQ(repairs.of[1]->unused.size(), 1U);
  EXPECT_EQ(repairs.of[1]->unused[0].text, "a sentence.");
  EXPECT_EQ(repairs.more.stray, Strings{"Nine [kbcdfghjk]."});
  EXPECT_FALSE(repairs.of[2]->is_dropped) << "it is an instruction";
  ASSERT_EQ(repairs.of[2]->units.size(), 1U);
  EXPECT_EQ(repairs.of[3]->units.at(0).text, "| c | e");
}

TEST(ModelText, WhatIsNotFoundMayBeSaidWithAKey) {
  const ModelText text = ReadModelText(
      "=== 1\n**NOT FOUND**\nOnly X is there.\n=== 2\nNOT FOUND. But X is 3 [kbcdfghjk].\n", 2);
  EXPECT_TRUE(text.points[0].units.empty());
  ASSERT_EQ(text.points[0].unused.size(), 1U);
  EXPECT_EQ(text.points[0].unused[0].text, "Only X is there.");
  ASSERT_EQ(text.points[1].units.size(), 1U);
  EXPECT_EQ(text.points[1].units[0].text, "But X is 3.");
}

TEST(ModelText, WordsBesideARemarkAreKept) {
  const ModelPoint point =
      ReadModelText(
          "=== 1: Its size\nCONTRADICTED: It has no size [kbcdfghjk].\n"
          "MORE kbcdfghjk:1-9 since it ends\n## Its weight\n| a | b |\n|---|---|\n",
          1)
          .points[0];
  EXPECT_TRUE(point.is_contradicted);
  ASSERT_EQ(point.units.size(), 1U);
  EXPECT_EQ(point.units[0].text, "It has no size.");
  EXPECT_EQ(point.headings, (Strings{"Its weight", "Its size"}));
  ASSERT_EQ(point.unused.size(), 2U);
  EXPECT_EQ(point.unused[0].text, "since it ends");
  EXPECT_EQ(point.unused[1].text, "| a | b |");
}

TEST(ModelText, SignsThatAreNoTagsStay) {
  EXPECT_EQ(Texts("A vector<int> and --set <name> stay"),
            Strings{"A vector\\<int> and --set \\<name> stay"});
}

TEST(ModelText, TheLastStatementOfACutAnswerIsTakenAway) {
  ModelText text = ReadModelText("=== 1\nOne.\n=== 2\nTwo. Three is", 2);
  EXPECT_EQ(TakeLastUnit(text)->text, "Three is");
  EXPECT_EQ(text.points[1].units.size(), 1U);
  text = ReadModelText("Nothing", 2);
  EXPECT_FALSE(TakeLastUnit(text).has_value());
}

TEST(ModelText, TheRestOfACutAnswerGoesOnInItsPoint) {
  const std::vector<std::string> head = {"| a | b |", "|---|---|"};
  for (const char* begin : {"", "=== 2\n"}) {
    const ModelText rest = ReadRest(begin + std::string("| 1 | 2 |\n=== 3\nThree.\n"), 1, head, 3);
    ASSERT_EQ(rest.points[1].units.size(), 1U) << begin;
    EXPECT_EQ(rest.points[1].units[0].kind, WrittenKind::kRow) << begin;
    EXPECT_EQ(rest.points[2].units.size(), 1U) << begin;
    EXPECT_TRUE(rest.stray.empty());
  }
  EXPECT_EQ(ReadRest("Two.\n", 1, {}, 3).points[1].units[0].text, "Two.");
  EXPECT_EQ(ReadRest("=== 3\nThree.\n", 1, {}, 3).points[2].units[0].text, "Three.");
}

// Every word that is planted somewhere in an answer is in a statement, in the head of
// a table, or among what cannot be used.
RC_GTEST_PROP(ModelText, LosesNoWord, ()) {
  const auto forms = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "# word\n", "- word [kbcdfghjk]\n", "> word\n", "| word | b |\n|---|---|\n", "| word | c |\n",
      "```sh\nword\n```\n", "```\nword\n", "word. ", "word [kbcdfghjk:3-4].\n\n", "=== 1 word\n",
      "=== 2\nword\n", "=== 7 word\n", "=== 2\nNOT FOUND word\n", "CONTRADICTED word\n",
      "MORE kbcdfghjk:1-2 word\n", "<b>word</b>\n", "<word>\n", "[word](x) ", "[word](", "[[word]",
      "`word`", "1. word\n", "word:\n\n", "[kbcdfghjk]\n", "\n"));
  std::string answer;
  std::vector<std::string> planted;
  for (const std::string& form : forms) {
    std::string piece = form;
    const std::string word = "w" + std::to_string(planted.size()) + "x";
    if (const std::size_t at = piece.find("word"); at != std::string::npos) {
      piece.replace(at, 4, word);
      planted.push_back(word);
    }
    answer += piece;
  }
  const ModelText text = ReadModelText(answer, 2);
  std::string found;
  for (const std::string& line : text.stray) found += line + '\n';
  for (const ModelPoint& point : text.points) {
    for (const ModelUnit& unit : point.units) found += unit.text + '\n';
    for (const Unused& unused : point.unused) found += unused.text + '\n';
    for (const std::string& heading : point.headings) found += heading + '\n';
    for (const auto& head : point.table_heads) {
      for (const std::string& line : head) found += line + '\n';
    }
  }
  for (const std::string& word : planted) {
    RC_ASSERT(found.find(word) != std::string::npos);
  }
}

RC_GTEST_PROP(ModelText, OfAnyAnswerIsPlain, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "<b>", "<", ">", "[", "]", "(", ")", "\\", "`", "```", "\n", "# ", "- ", "> ", "| ", "a", "B",
      ". ", "!", "[^1]", "[kbcdfghjk]", "www.", "1. ", "~~~", "=== 1\n", "---\n"));
  std::string answer = "=== 1\n";
  for (const std::string& piece : pieces) answer += piece;
  for (const ModelPoint& point : ReadModelText(answer, 1).points) {
    for (const ModelUnit& unit : point.units) {
      RC_ASSERT(!unit.text.empty());
      RC_ASSERT(unit.group < point.table_heads.size());
      if (unit.kind == WrittenKind::kCode) continue;
      RC_ASSERT(unit.text.find('\n') == std::string::npos);
      if (unit.kind == WrittenKind::kRow) continue;
      RC_ASSERT(std::string_view("#>-+=|~<[ ").find(unit.text[0]) == std::string_view::npos);
    }
  }
}

}  // namespace
}  // namespace sibyl::draft
