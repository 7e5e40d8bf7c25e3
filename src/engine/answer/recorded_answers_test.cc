// SPDX-License-Identifier: Apache-2.0
#include "engine/answer/recorded_answers.h"

#include <gtest/gtest.h>

#include "oracle/lab_runs.h"
#include "oracle/oracle.h"
#include "oracle/test_context.h"

namespace sibyl::engine {
namespace {

class RecordedAnswersTest : public oracle::OracleTest {
 protected:
  void Keep() const {
    lab::Run run{.command = "sibyl lab run copy", .time = "2026-11-15 09:05"};
    const Status added = lab::AddLines(
        R"({"lab":"copy","variant":"bulk","params":{"n":32},"metric":"time","value":0.5,)"
        R"("unit":"ms","floor":0.25,"x_floor":2,"samples":15,"noise":0.001,"max_rel_err":null,)"
        R"("device":"NVIDIA H200","driver":"580.1","toolkit":"13.0"})"
        "\n",
        run);
    ASSERT_TRUE(added.ok());
    ASSERT_TRUE(oracle::KeepRun(Here(), std::move(run), oracle::MeasuredWhere::kHere).ok());
  }

  Json Ask(std::string_view question) const {
    Json statements = Json::array();
    AddRecordedAnswers(Here(), {}, *oracle::EvidenceAround(Here()), draft::ReadQuestion(question),
                       statements);
    return statements;
  }
};

TEST_F(RecordedAnswersTest, AMeasurementAnswersAQuestionThatHasItsWords) {
  Keep();
  const Json statements = Ask("How fast is the bulk copy on the H200?");
  ASSERT_EQ(statements.size(), 1U);
  EXPECT_EQ(statements[0]["kind"], "measurement");
  EXPECT_NE(statements[0]["text"].get<std::string>().find("0.5 ms"), std::string::npos);
  EXPECT_TRUE(statements[0]["citation"].get<std::string>().starts_with("lab:"));
}

TEST_F(RecordedAnswersTest, OtherQuestionsAreNotAnswered) {
  Keep();
  EXPECT_TRUE(Ask("How fast is the espresso machine on the H200?").empty());
  EXPECT_TRUE(Ask("bulk").empty());
}

}  // namespace
}  // namespace sibyl::engine
