// SPDX-License-Identifier: Apache-2.0
#include "interface/reports/sarif.h"

#include <gtest/gtest.h>

#include "base/line_excerpt.h"

namespace sibyl::interface {
namespace {

constexpr Rule kRules[] = {{.code = "a/one", .meaning = "the first rule"},
                           {.code = "b/two", .meaning = "the second rule"}};

Finding At(std::size_t line, std::string code, std::string text = "the line") {
  return {.severity = Severity::kError,
          .code = std::move(code),
          .message = "wrong",
          .hint = "right",
          .place = {.file = "my plans/ä.md", .line = line, .text = std::move(text)}};
}

TEST(Sarif, IsAVersionedLogWithOneRunAndTheRulesItUses) {
  const Json sarif = FindingsAsSarif({At(3, "b/two"), At(4, "b/two")}, kRules);
  EXPECT_EQ(sarif["version"], "2.1.0");
  const Json& run = sarif["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["name"], "sibyl");
  ASSERT_EQ(run["tool"]["driver"]["rules"].size(), 1U);
  EXPECT_EQ(run["tool"]["driver"]["rules"][0]["shortDescription"]["text"], "the second rule");
  EXPECT_EQ(run["results"].size(), 2U);
  EXPECT_EQ(run["results"][1]["ruleId"], "b/two");
  EXPECT_EQ(run["results"][1]["ruleIndex"], 0);
  EXPECT_EQ(run["results"][1]["level"], "error");
  EXPECT_EQ(run["results"][1]["message"]["text"], "wrong; right");
}

TEST(Sarif, HasRunsAndResultsEvenWhenThereIsNothingToSay) {
  const Json sarif = FindingsAsSarif({}, kRules);
  EXPECT_TRUE(sarif["runs"][0]["results"].is_array());
  EXPECT_TRUE(sarif["runs"][0]["tool"]["driver"]["rules"].is_array());
}

TEST(Sarif, WritesPathsAsUris) {
  const Json location =
      FindingsAsSarif({At(3, "a/one")}, kRules)["runs"][0]["results"][0]["locations"][0];
  EXPECT_EQ(location["physicalLocation"]["artifactLocation"]["uri"], "my%20plans/%C3%A4.md");
  EXPECT_EQ(location["physicalLocation"]["region"]["startLine"], 3);
}

TEST(Sarif, PutsWhatConcernsTheWholeFileOnItsFirstLine) {
  const Json region = FindingsAsSarif(
      {At(0, "a/one")},
      kRules)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(region["startLine"], 1);
}

TEST(Sarif, CountsColumnsInCharacters) {
  Finding finding = At(1, "a/one", "ää x");
  finding.place.column = 6;
  const Json region = FindingsAsSarif(
      {finding}, kRules)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(region["startColumn"], 4);
}

TEST(Sarif, KeepsTheFingerprintWhenALineMovesAndTellsEqualLinesApart) {
  const auto fingerprint = [](const std::vector<Finding>& findings, std::size_t i) {
    return FindingsAsSarif(
               findings,
               kRules)["runs"][0]["results"][i]["partialFingerprints"]["primaryLocationLineHash"]
        .get<std::string>();
  };
  EXPECT_EQ(fingerprint({At(3, "a/one")}, 0), fingerprint({At(9, "a/one")}, 0));
  EXPECT_NE(fingerprint({At(3, "a/one")}, 0), fingerprint({At(3, "b/two")}, 0));
  const std::vector<Finding> twins = {At(3, "a/one"), At(4, "a/one")};
  EXPECT_NE(fingerprint(twins, 0), fingerprint(twins, 1));
}

// Issue 23: findings with a diff had no fixes.
TEST(Sarif, CarriesTheFixesOfItsFindings) {
  const auto fix = [](std::size_t line, const char* text) {
    return Json{{"file", "my plans/ä.md"},
                {"code", "a/one"},
                {"line", line},
                {"replacements", Json::array({{{"line", line},
                                               {"column", 2},
                                               {"end_line", line},
                                               {"end_column", 5},
                                               {"text", text}}})}};
  };
  const Json results =
      FindingsAsSarif({At(3, "a/one"), At(3, "a/one"), At(4, "b/two")}, kRules,
                      Json::array({fix(3, "x"), fix(3, "y"), fix(9, "z")}))["runs"][0]["results"];
  const Json& change = results[0]["fixes"][0]["artifactChanges"][0];
  EXPECT_EQ(change["artifactLocation"]["uri"], "my%20plans/%C3%A4.md");
  EXPECT_EQ(change["replacements"][0]["deletedRegion"]["startColumn"], 2);
  EXPECT_EQ(change["replacements"][0]["deletedRegion"]["endColumn"], 5);
  EXPECT_EQ(change["replacements"][0]["insertedContent"]["text"], "x");
  EXPECT_EQ(results[0]["fixes"].size(), 1U);
  EXPECT_EQ(
      results[1]["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"],
      "y");
  EXPECT_FALSE(results[2].contains("fixes"));
}

TEST(Sarif, CountsColumnsOfALongLineFromItsBeginning) {
  const std::string line(5000, 'x');
  Finding finding = At(1, "a/one");
  finding.place.column = 3000;
  finding.place.text = LineExcerpt(line, 3000);
  const auto region = [&finding] {
    return FindingsAsSarif(
        {finding}, kRules)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
  };
  EXPECT_EQ(region()["startColumn"], 3000);
  EXPECT_LE(region()["snippet"]["text"].get<std::string>().size(), 600U);
  finding.details.push_back({kCharacterColumn, "2990"});
  EXPECT_EQ(region()["startColumn"], 2990);
}

}  // namespace
}  // namespace sibyl::interface
