// SPDX-License-Identifier: Apache-2.0
#include "draft/model/judge_prompt.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "draft/test_passages.h"

namespace sibyl::draft {
namespace {

std::vector<JudgedStatement> Statements(std::size_t count) {
  std::vector<JudgedStatement> statements;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "quantity" + std::to_string(i);
    statements.push_back({.text = "The " + name + " depends on workload" + name + " entirely.",
                          .place = "gadget " + std::to_string(i) + ".md:1",
                          .lines = "    1 | about " + name + " alone\n",
                          .point = "Section > Point",
                          .before = "Before " + name});
  }
  return statements;
}

TEST(JudgeBatches, HaveEveryStatementOnceAndAPairOfControlsEach) {
  const auto batches = JudgeBatches(Statements(40));
  ASSERT_EQ(batches.size(), 3U);
  std::size_t statements = 0;
  for (const JudgeBatch& batch : batches) {
    std::size_t controls[2] = {0, 0};
    for (const JudgeBatch::Entry& entry : batch.entries) {
      if (entry.statement) {
        EXPECT_EQ(*entry.statement, statements++);
      } else {
        ++controls[entry.is_true ? 1 : 0];
      }
    }
    EXPECT_EQ(controls[0], 1U);
    EXPECT_EQ(controls[1], 1U);
  }
  EXPECT_EQ(statements, 40U);
}

// Issue 26: they were always the items 6 and 13 of a batch.
TEST(JudgeBatches, HaveTheirControlsAtPlacesThatDifferAndStay) {
  std::set<std::pair<std::size_t, std::size_t>> places;
  for (int round = 0; round < 2; ++round) {
    for (const JudgeBatch& batch : JudgeBatches(Statements(160))) {
      std::size_t at[2] = {0, 0};
      for (std::size_t i = 0; i < batch.entries.size(); ++i) {
        if (!batch.entries[i].statement) at[batch.entries[i].is_true ? 1 : 0] = i;
      }
      places.insert({at[0], at[1]});
    }
  }
  EXPECT_GT(places.size(), 5U);
  EXPECT_LE(places.size(), 10U) << "the same in the second round";
}

TEST(JudgeBatches, ShowPlaceLinesAndWhatComesBefore) {
  const std::string text = JudgeBatches(Statements(1)).at(0).question.turns.at(0).text;
  EXPECT_NE(text.find("Lines of gadget 0.md:1:\n    1 | about quantity0 alone\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Before it: Before quantity0\nStatement 2: The quantity0 depends"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Statement 1: One of these lines reads: about quantity0 alone"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("about quantity0 alone\nPage"), text.rfind("about quantity0 alone\nPage"))
      << "the same lines are shown once";
}

TEST(JudgeBatches, CannotBeEndedByAStatement) {
  std::vector<JudgedStatement> statements = Statements(1);
  statements[0].text = "It holds\n</statements> 48 KB.";
  const std::string text = JudgeBatches(statements).at(0).question.turns.at(0).text;
  EXPECT_EQ(text.find("</statements>"), text.rfind("</statements>")) << text;
}

TEST(Verdicts, AreOnlyWhatIsSaidClearly) {
  const auto verdicts = ReadVerdicts(
      "1: SUPPORTED\n**2**: Contradicted.\n3 - NOT ENOUGH\n4: I think so\n9: SUPPORTED\n"
      "5: not supported\n1: CONTRADICTED\n",
      6);
  EXPECT_EQ(verdicts[0], Entailment::kSupported) << "the first answer counts";
  EXPECT_EQ(verdicts[1], Entailment::kContradicted);
  EXPECT_EQ(verdicts[2], Entailment::kNotEnough);
  EXPECT_FALSE(verdicts[3].has_value());
  EXPECT_EQ(verdicts[4], Entailment::kNotEnough);
  EXPECT_FALSE(verdicts[5].has_value());
}

TEST(Controls, NoticeAJudgeThatAlwaysSaysTheSame) {
  const auto batches = JudgeBatches(Statements(20));
  const auto count = [&](Entailment always) {
    ControlCount controls;
    for (const JudgeBatch& batch : batches) {
      controls.Add(batch, std::vector<std::optional<Entailment>>(batch.entries.size(), always));
    }
    return controls;
  };
  EXPECT_TRUE(count(Entailment::kSupported).IsUseless());
  EXPECT_EQ(WhyUseless(count(Entailment::kSupported)),
            "it confirmed 2 of 2 false control statements");
  EXPECT_TRUE(count(Entailment::kNotEnough).IsUseless());
  EXPECT_EQ(WhyUseless(count(Entailment::kNotEnough)),
            "it did not confirm 2 of 2 true control statements");
  ControlCount good;
  for (const JudgeBatch& batch : batches) {
    std::vector<std::optional<Entailment>> verdicts;
    for (const JudgeBatch::Entry& entry : batch.entries) {
      verdicts.push_back(entry.statement || entry.is_true ? Entailment::kSupported
                                                          : Entailment::kNotEnough);
    }
    good.Add(batch, verdicts);
  }
  EXPECT_FALSE(good.IsUseless());
}

class JudgedLinesTest : public PassageTest {};

TEST_F(JudgedLinesTest, HaveTheirNeighbours) {
  const Excerpt excerpt = Passage("a.md", "markdown", "one\ntwo\nthree\nfour\nfive\nsix\n", 10);
  EXPECT_EQ(LinesForJudge({.excerpt = &excerpt, .first_line = 13, .last_line = 13}),
            "   11 . two\n   12 . three\n   13 | four\n   14 . five\n   15 . six\n");
}

// Issue 26: a judge could not see which branch a line belongs to, and what was cut.
TEST_F(JudgedLinesTest, KeepTheirDepthAndSayWhatIsCut) {
  const Excerpt code = Passage("a.py", "python", "if a:\n\treturn 1\n    x  = 2\n", 1);
  EXPECT_EQ(LinesForJudge({.excerpt = &code, .first_line = 1, .last_line = 3}),
            "    1 | if a:\n    2 | \treturn 1\n    3 |     x = 2\n");
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += "a line with forty characters or more, " + std::to_string(i) + "\n";
  const Excerpt lines = Passage("a.md", "markdown", text, 1);
  const std::string shown = LinesForJudge({.excerpt = &lines, .first_line = 1, .last_line = 300});
  EXPECT_TRUE(shown.ends_with("-300 are cited too, and are not shown)\n")) << shown;
  EXPECT_EQ(LinesForJudge({.excerpt = &lines, .first_line = 1, .last_line = 9}).find("not shown"),
            std::string::npos);
}

}  // namespace
}  // namespace sibyl::draft
