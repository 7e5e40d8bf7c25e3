// SPDX-License-Identifier: Apache-2.0
#include "engine/answer/field_answers.h"

#include <gtest/gtest.h>

#include <string>

namespace sibyl::engine {
namespace {

std::string AnswerTo(std::string_view question) {
  Json statements = Json::array();
  AddFieldAnswer(question, statements);
  return statements.empty() ? "" : statements[0]["text"].get<std::string>();
}

TEST(FieldAnswers, DriversOfToolkits) {
  EXPECT_EQ(AnswerTo("which driver does CUDA 13 need?"),
            "Programs that were built with CUDA 13.x run with Linux driver 580.65.06 or newer.");
  EXPECT_EQ(
      AnswerTo("What is the minimum driver version for CUDA 12.4?"),
      "Programs that were built with CUDA 12.x run with Linux driver 525.60.13 or newer. All of "
      "CUDA 12.4 is supported from Linux driver 550.54.14 on.");
  EXPECT_EQ(AnswerTo("which cuda version does driver 535 support").substr(0, 35),
            "Driver 535 supports all of CUDA 12.");
}

TEST(FieldAnswers, ArchitecturesOfGpus) {
  EXPECT_EQ(AnswerTo("what is the compute capability of the H100"),
            "The H100 has compute capability 9.0 (sm_90, Hopper).");
  EXPECT_EQ(AnswerTo("How do I set TORCH_CUDA_ARCH_LIST for an L4?"),
            "The L4 has compute capability 8.9 (sm_89, Ada).");
  EXPECT_EQ(AnswerTo("which CUDA toolkit first supports sm_89?"),
            "CUDA 11.8 is the first toolkit that compiles for sm_89 (Ada).");
}

TEST(FieldAnswers, HaveAReceipt) {
  Json statements = Json::array();
  AddFieldAnswer("compute capability of the H100", statements);
  ASSERT_EQ(statements.size(), 1U);
  EXPECT_NE(statements[0]["citation"].get<std::string>().find("(read 2026-"), std::string::npos);
}

TEST(FieldAnswers, OtherQuestionsAreNotForTheTables) {
  for (const char* question :
       {"how does the CUDA 12.4 driver API load a module", "which driver does CUDA 99.1 need",
        "is the H100 faster than the A100", "how much shared memory does an H100 have",
        "what changed in CUDA 12.4", "why does sm_90a code not run on sm_100", "warp size", ""}) {
    EXPECT_EQ(AnswerTo(question), "") << question;
  }
}

}  // namespace
}  // namespace sibyl::engine
