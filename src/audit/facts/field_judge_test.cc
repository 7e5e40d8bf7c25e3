// SPDX-License-Identifier: Apache-2.0
#include "audit/facts/field_judge.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "audit/facts/field_mentions.h"
#include "audit/facts/format_judge.h"

namespace sibyl::audit {
namespace {

using statement::Verdict;

// Verdicts of the text's facts, as "sm_89 supported, 11.4 contradicted".
std::string Facts(std::string_view text) {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok());
  std::string facts;
  for (std::size_t i = 0; i < statements->all.size(); ++i) {
    for (const JudgedFact& judged : JudgeFieldFacts(*statements, i)) {
      EXPECT_EQ(judged.judgement.kind, "field fact");
      EXPECT_FALSE(judged.judgement.where.empty()) << "a receipt";
      if (!facts.empty()) facts += ", ";
      facts += judged.judgement.text + " " +
               std::string(statement::VerdictName(judged.judgement.verdict));
    }
  }
  return facts;
}

TEST(FieldFacts, AProductIsHeldAgainstItsArchitecture) {
  EXPECT_EQ(Facts("The L4 is `sm_86`.\n"), "sm_86 contradicted");
  EXPECT_EQ(Facts("The L4 is `sm_89`.\n"), "sm_89 supported");
  EXPECT_EQ(Facts("Tested on the H100 (sm_90).\n"), "sm_90 supported");
  EXPECT_EQ(Facts("The RTX 4090 has compute capability 8.6.\n"), "8.6 contradicted");
  EXPECT_EQ(Facts("The H100 and the H200 are 9.2.\n"), "9.2 contradicted");
  EXPECT_EQ(Facts("RTX 4090 is sm_89, A10 sm_86, RTX A6000 sm_80.\n"),
            "sm_89 supported, sm_86 supported, sm_80 contradicted");
}

TEST(FieldFacts, AGenerationHasOneOfItsArchitectures) {
  EXPECT_EQ(Facts("Hopper is compute capability 8.9.\n"), "8.9 contradicted");
  EXPECT_EQ(Facts("Ampere (8.0, 8.6) is fine.\n"), "8.0 supported, 8.6 supported");
  EXPECT_EQ(Facts("Use `compute_90` for Hopper.\n"), "compute_90 supported");
  EXPECT_EQ(Facts("Hopper is `sm_90a`.\n"), "sm_90a supported");
}

TEST(FieldFacts, AProductIsHeldAgainstItsGeneration) {
  EXPECT_EQ(Facts("The Ampere-based L40S is fast.\n"), "Ampere contradicted");
  EXPECT_EQ(Facts("The L40S is an Ada card.\n"), "Ada supported");
}

TEST(FieldFacts, AnArchitectureNeedsItsFirstToolkit) {
  EXPECT_EQ(Facts("sm_89 needs CUDA 11.4.\n"), "11.4 contradicted");
  EXPECT_EQ(Facts("sm_89 needs CUDA 11.8 or newer.\n"), "11.8 supported");
  EXPECT_EQ(Facts("Support for Blackwell was added in CUDA 12.4.\n"), "12.4 contradicted");
  EXPECT_EQ(Facts("CUDA 11.8 added sm_89 and sm_90.\n"), "11.8 supported");
  EXPECT_EQ(Facts("Ada needs at least CUDA 11.8, Hopper at least CUDA 12.0.\n"),
            "11.8 supported, 12.0 contradicted");
  EXPECT_EQ(Facts("Ada (sm_89) needs at least CUDA 11.8.\n"), "sm_89 supported, 11.8 supported");
}

TEST(FieldFacts, AStricterNeedOfSomethingElseIsNotWrong) {
  EXPECT_EQ(Facts("wgmma on sm_90 requires CUDA 12.3.\n"), "");
  EXPECT_EQ(Facts("| GPU | Minimum toolkit |\n| --- | --- |\n| A100 | 11.4 |\n"), "")
      << "that of a project";
  EXPECT_EQ(Facts("| GPU | Minimum toolkit |\n| --- | --- |\n| B200 | 12.6 |\n"),
            "12.6 contradicted")
      << "no project can do with less";
}

TEST(FieldFacts, ToolkitsEndTheSupportOfGenerations) {
  EXPECT_EQ(Facts("CUDA 13.0 dropped Volta.\n"), "13.0 supported");
  EXPECT_EQ(Facts("CUDA 12.8 is the last toolkit that supports Pascal.\n"), "12.8 contradicted");
  EXPECT_EQ(Facts("R580 is the last driver branch for Volta.\n"), "580 supported");
}

TEST(FieldFacts, AToolkitNeedsItsDriverOrTheOldestOfItsMajorVersion) {
  EXPECT_EQ(Facts("CUDA 12.4 needs driver 520 or newer.\n"), "520 contradicted");
  EXPECT_EQ(Facts("CUDA 12.4 needs driver 550.54.14.\n"), "550.54.14 supported");
  EXPECT_EQ(Facts("CUDA 12.x requires driver >= 525.60.13.\n"), "525.60.13 supported");
  EXPECT_EQ(Facts("CUDA 13.0 needs a driver of at least 580 on Linux.\n"), "580 supported");
  EXPECT_EQ(Facts("On Windows CUDA 12.4 needs driver 540.\n"), "");
  EXPECT_EQ(Facts("| CUDA | Minimum driver |\n| --- | --- |\n| 12.0 | 515 |\n"),
            "515 contradicted");
}

TEST(FieldFacts, AToolkitWritesItsPtx) {
  EXPECT_EQ(Facts("CUDA 12.4 ships PTX ISA 8.3.\n"), "8.3 contradicted");
  EXPECT_EQ(Facts("PTX ISA 8.4 came with CUDA 12.4.\n"), "8.4 supported");
}

TEST(FieldFacts, OfTablesAreReadByTheirColumns) {
  EXPECT_EQ(Facts("| GPU | Architecture | Compute capability |\n| --- | --- | --- |\n"
                  "| L4 | Ampere | 8.6 |\n| H100 | Hopper | 9.0 |\n"),
            "Ampere contradicted, 8.6 contradicted, Hopper supported, 9.0 supported");
}

TEST(FieldFacts, NegationsRangesAndOtherFormsSayNothing) {
  for (const char* text :
       {"The L4 is not `sm_86`.\n", "On A100, sm_90 kernels do not run.\n",
        "The L4 runs sm_86 kernels.\n", "Works from sm_80 to sm_90.\n",
        "A100 and newer need `sm_90` for clusters.\n", "Unlike Ampere, Hopper has TMA.\n",
        "Compute capability 8.0 and newer (Hopper too).\n", "Ampere Altra is a CPU.\n",
        "The H100 is 2.5 times faster.\n", "Compile with sm_80 for the A10.\n"}) {
    EXPECT_EQ(Facts(text), "") << text;
  }
}

TEST(FieldFacts, PairsInOrderAreNotContradicted) {
  EXPECT_EQ(Facts("A100 and H100 are sm_80 and sm_90.\n"), "sm_80 supported, sm_90 supported");
  EXPECT_EQ(Facts("A100 and H100 are sm_90 and sm_80.\n"), "");
}

TEST(FieldFacts, AProductWithoutAReceiptIsNotContradicted) {
  EXPECT_EQ(Facts("The B100 is sm_103.\n"), "");
}

TEST(FieldMentions, AreInOrderAndInTheTextForAnyText) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    std::size_t at = 0;
    for (const MentionGroup& group : FindMentions(text + " sm_90 " + text)) {
      for (const Mention& mention : group.all) {
        RC_ASSERT(mention.begin >= at);
        RC_ASSERT(mention.end > mention.begin);
        RC_ASSERT(mention.end <= 2 * text.size() + 7);
        at = mention.end;
      }
    }
  }));
}

TEST(FieldFacts, AToolkitCameWithADriver) {
  EXPECT_EQ(Facts("CUDA 12.2 came with 545.23.06, CUDA 12.4 with 550.54.14.\n"),
            "545.23.06 contradicted, 550.54.14 supported");
  EXPECT_EQ(Facts("CUDA 12.4 Update 1 ships 550.54.15.\n"), "") << "a newer one of the branch";
  EXPECT_EQ(Facts("The driver must be at least 580 for CUDA 13.0 and 515 for 12.0.\n"),
            "580 supported, 515 contradicted");
}

TEST(FieldFacts, AToolkitThatIsTooOldForAGenerationIsWrong) {
  EXPECT_EQ(Facts("It needs CUDA 12.1 on Hopper and 12.6 on Blackwell.\n"), "12.6 contradicted");
  EXPECT_EQ(Facts("It needs CUDA 12.9+ for Blackwell.\n"), "") << "a project may need more";
  EXPECT_EQ(Facts("We ran CUDA 12.4 on Blackwell once.\n"), "");
  EXPECT_EQ(Facts("Compute capability: A100 8.0, and A10 8.0.\n"),
            "A100 8.0 supported, A10 8.0 contradicted");
}

TEST(Formats, HaveTheirLargestValue) {
  const auto verdicts = [](std::string_view text) {
    std::string all;
    for (const JudgedFact& judged : JudgeFormats(text)) {
      all += judged.judgement.text + (judged.judgement.Fails() ? " wrong " : " right ");
    }
    return all;
  };
  EXPECT_EQ(verdicts("E4M3 tops out at 448, E5M2 at 65504."), "448 right 65504 wrong ");
  EXPECT_EQ(verdicts("E5M2 has a maximum of 57,344."), "57,344 right ");
  EXPECT_EQ(verdicts("E4M3 keeps 4 bits, a maximum of 8."), "");
  EXPECT_EQ(verdicts("E4M3FNUZ has a maximum of 240."), "");
  EXPECT_EQ(verdicts("E4M3 uses 240 kernels."), "");
}

}  // namespace
}  // namespace sibyl::audit
