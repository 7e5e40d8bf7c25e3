// SPDX-License-Identifier: Apache-2.0
#include "draft/model/judge_prompt.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace sibyl::draft
