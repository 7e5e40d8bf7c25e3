// SPDX-License-Identifier: Apache-2.0
#include "gate/cited/absence.h"

#include <gtest/gtest.h>

#include <string>

namespace sibyl::gate {
namespace {

Receipt AbsenceOf(const std::string& word) {
  Receipt receipt{.label = "a"};
  receipt.citation =
      evidence::AbsentCitation{.origin = "https://github.com/ROCm/pytorch", .word = word};
  receipt.other = OtherAnswer{.verdict = statement::Verdict::kSupported,
                              .text = "The name " + word + " does not occur in pytorch.",
                              .where = "pytorch@d6ae9ac"};
  return receipt;
}

std::string CodeOf(const std::string& text, const std::vector<const Receipt*>& receipts) {
  statement::Statement statement;
  statement.text = text;
  const auto judged = JudgeAbsence(statement, receipts);
  return judged ? judged->code : "";
}

TEST(Absence, CarriesThatANameDoesNotExistAndNothingElse) {
  const Receipt cupti = AbsenceOf("USE_CUPTI");
  for (const char* text :
       {"PyTorch defines no option USE_CUPTI.", "USE_CUPTI does not exist in PyTorch.",
        "The name USE_CUPTI occurs nowhere in the pinned sources of PyTorch.",
        "There is no USE_CUPTI.", "PyTorch doesn't have an environment variable USE_CUPTI."}) {
    EXPECT_EQ(CodeOf(text, {&cupti}), "support/grounded") << text;
  }
  for (const char* text :
       {"PyTorch defines no option USE_CUPTI, so the build is slow.",
        "There is no USE_CUPTI; CUPTI is always linked.", "PyTorch 2.9 has no USE_CUPTI.",
        "PyTorch removed USE_CUPTI and does not have it.", "PyTorch has no option USE_KINETO.",
        "USE_CUPTI does not exist in TensorFlow."}) {
    EXPECT_EQ(CodeOf(text, {&cupti}), "support/ungrounded") << text;
  }
  for (const char* text : {"USE_CUPTI is an option of PyTorch.", "PyTorch defines USE_CUPTI."}) {
    EXPECT_EQ(CodeOf(text, {&cupti}), "support/contradicted") << text;
  }
}

TEST(Absence, WithOtherCitationsTheTextsAreComparedAsUsual) {
  const Receipt cupti = AbsenceOf("USE_CUPTI");
  Receipt lines{.label = "b"};
  lines.citation = evidence::SourceCitation{};
  EXPECT_EQ(CodeOf("There is no USE_CUPTI; the switch is USE_CUPTI_SO.", {&cupti, &lines}), "");
  EXPECT_EQ(CodeOf("The switch is USE_CUPTI.", {&cupti, &lines}), "support/contradicted");
  EXPECT_EQ(CodeOf("The switch is USE_CUPTI_SO.", {&lines}), "");
}

TEST(Absence, SeveralNames) {
  const Receipt cupti = AbsenceOf("USE_CUPTI");
  const Receipt dashed = AbsenceOf("--with-cupti");
  EXPECT_EQ(CodeOf("Neither USE_CUPTI nor --with-cupti exists in PyTorch.", {&cupti, &dashed}),
            "support/grounded");
  EXPECT_EQ(CodeOf("USE_CUPTI does not exist.", {&cupti, &dashed}), "support/ungrounded");
}

}  // namespace
}  // namespace sibyl::gate
