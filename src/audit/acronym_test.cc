// SPDX-License-Identifier: Apache-2.0
#include "audit/acronym.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

#include "audit/test_witness.h"

namespace sibyl::audit {
namespace {

using statement::Verdict;

std::vector<std::string> Claims(std::string_view text) {
  std::vector<std::string> claims;
  for (const SpelledOut& claim : FindSpelledOut(text)) {
    claims.push_back(claim.acronym + " = " + claim.words);
  }
  return claims;
}

using ClaimList = std::vector<std::string>;

TEST(FindSpelledOut, ReadsBothOrdersInTheOrderOfTheText) {
  EXPECT_EQ(Claims("The Tensor Memory Accelerator (TMA) and DSM (Distributed Shared Memory)."),
            (ClaimList{"TMA = Tensor Memory Accelerator", "DSM = Distributed Shared Memory"}));
}

TEST(FindSpelledOut, KeepsTheOrderOfTheTextForAppositionsToo) {
  EXPECT_EQ(Claims("CUPTI, the CUDA Profiling Tools Interface, and TMA (Tensor Memory Access)."),
            (ClaimList{"CUPTI = CUDA Profiling Tools Interface", "TMA = Tensor Memory Access"}));
}

TEST(FindSpelledOut, ReadsAnApposition) {
  EXPECT_EQ(Claims("CUPTI, the CUDA Profiling Tools Interface, is a library."),
            ClaimList{"CUPTI = CUDA Profiling Tools Interface"});
  EXPECT_TRUE(Claims("CUPTI, the library of many things, is old.").empty());
}

TEST(FindSpelledOut, LetsAWordGiveSeveralLettersAndFillersNone) {
  EXPECT_EQ(Claims("CUPTI (CUDA Profiling Tools Interface)"),
            ClaimList{"CUPTI = CUDA Profiling Tools Interface"});
  EXPECT_EQ(Claims("MOV (Matrix of the Values)"), ClaimList{"MOV = Matrix of the Values"});
  EXPECT_EQ(Claims("Basic Linear Algebra Subprograms (BLAS)"),
            ClaimList{"BLAS = Basic Linear Algebra Subprograms"});
}

TEST(FindSpelledOut, ReadsSentencesAndLists) {
  EXPECT_EQ(Claims("TMA is the Tensor Memory Accelerator, CTA a Cooperative Thread Array."),
            (ClaimList{"TMA = Tensor Memory Accelerator", "CTA = Cooperative Thread Array"}));
  EXPECT_EQ(Claims("PTX: Parallel Thread Execution"), ClaimList{"PTX = Parallel Thread Execution"});
  EXPECT_EQ(Claims("DDP means Distributed Data Parallel"),
            ClaimList{"DDP = Distributed Data Parallel"});
  EXPECT_TRUE(Claims("TMA is the fastest way.").empty());
}

TEST(FindSpelledOut, SaysWhereTheClaimBegins) {
  const auto claims = FindSpelledOut("Use TMA (Tensor Memory Accelerator) now");
  ASSERT_EQ(claims.size(), 1U);
  EXPECT_EQ(claims[0].offset, 4U);
  EXPECT_EQ(claims[0].end, 34U);
  const auto behind = FindSpelledOut("Use the Tensor Memory Accelerator (TMA) now");
  ASSERT_EQ(behind.size(), 1U);
  EXPECT_EQ(behind[0].offset, 8U);
}

TEST(FindSpelledOut, ReadsThroughMarksOfMarkdown) {
  EXPECT_EQ(Claims("**TMA** (Tensor Memory Accelerator)"),
            ClaimList{"TMA = Tensor Memory Accelerator"});
  EXPECT_EQ(Claims("`TMA` (*Tensor Memory Accelerator*)"),
            ClaimList{"TMA = *Tensor Memory Accelerator*"});
}

TEST(FindSpelledOut, IgnoresWhatDoesNotSpellItOut) {
  for (const char* text :
       {"", "()", "TMA ()", "TMA (see below)", "TMA (Tensor Memory)",
        "TMA (Tensor Memory Access 2)", "it (TMA)", "Two Books (TMA)",
        "tma (tensor memory accelerator)", "TM (Tensor Memory)", "TMA (Tensor Memory Accelerator",
        "ABCDEFGHI (A B C D E F G H I)", ", the "}) {
    EXPECT_TRUE(Claims(text).empty()) << text;
  }
}

TEST(FindSpelledOut, EndsOnLongListsOfWords) {
  std::string words = "AAAAAAAA (";
  for (int i = 0; i < 10'000; ++i) words += "aaa ";
  EXPECT_TRUE(Claims(words + ")").empty());
  EXPECT_TRUE(Claims(std::string(100'000, '(')).empty());
}

TEST(FindSpelledOut, StaysInsideAnyText) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = *rc::gen::container<std::string>(
        rc::gen::element('T', 'M', 'A', 't', 'm', 'a', ' ', '(', ')', ',', '*', '\xC3', '\xBC'));
    for (const SpelledOut& claim : FindSpelledOut(text)) {
      RC_ASSERT(claim.offset < claim.end);
      RC_ASSERT(claim.end <= text.size());
      RC_ASSERT(text.find(claim.acronym) != std::string::npos);
      RC_ASSERT(text.find(claim.words) != std::string::npos);
    }
  }));
}

const Witness& Glossary() {
  static const TestWitness* const kGlossary =
      new TestWitness({{.name = "one",
                        .files = {{"a.md",
                                   "The Tensor Memory Accelerator (TMA) copies tiles.\n"
                                   "FMA (Fused Multiply Add) is one step.\n"
                                   "The Static Multiunit (SMU) runs blocks.\n"}}},
                       {.name = "two",
                        .files = {{"b.md",
                                   "TMA (Tensor Memory Accelerator) is new.\n"
                                   "The Remote Direct Memory Access (RDMA) engine.\n"}}}});
  return **kGlossary;
}

statement::Judgement Judged(std::string acronym, std::string words) {
  return JudgeSpelledOut({.acronym = std::move(acronym), .words = std::move(words)}, Glossary());
}

TEST(JudgeSpelledOut, SupportsWhatASourceSpellsOutSo) {
  const statement::Judgement judged = Judged("TMA", "Tensor Memory Accelerator");
  EXPECT_EQ(judged.verdict, Verdict::kSupported);
  EXPECT_EQ(judged.where, "one@0123abc a.md:1");
  EXPECT_EQ(judged.kind, "abbreviation");
  EXPECT_EQ(judged.text, "TMA (Tensor Memory Accelerator)");
}

TEST(JudgeSpelledOut, ForgivesCapitalsHyphensAndAPlural) {
  EXPECT_EQ(Judged("TMA", "tensor memory accelerators").verdict, Verdict::kSupported);
  EXPECT_EQ(Judged("FMA", "Fused Multiply-Add").verdict, Verdict::kSupported);
  EXPECT_EQ(Judged("FMA", "fuses multiply-add").verdict, Verdict::kSupported);
  EXPECT_EQ(Judged("SMU", "Static Multi-Unit").verdict, Verdict::kSupported);
}

TEST(JudgeSpelledOut, ContradictsWhereTheSourcesAgreeOnAnotherMeaning) {
  const statement::Judgement judged = Judged("TMA", "Thread Memory Access");
  EXPECT_EQ(judged.verdict, Verdict::kContradicted);
  EXPECT_EQ(judged.nearest, "Tensor Memory Accelerator");
  EXPECT_NE(judged.message.find("TMA is \"Tensor Memory Accelerator\""), std::string::npos);
  EXPECT_EQ(judged.reason, "2 of 2 places expand it this way");
}

TEST(JudgeSpelledOut, OneStrangeWordContradictsOnlyWhereTwoSourcesAgree) {
  EXPECT_EQ(Judged("TMA", "Tensor Memory Access").verdict, Verdict::kContradicted);
  EXPECT_EQ(Judged("FMA", "Fused Multiply Accumulate").verdict, Verdict::kUndecidable)
      << "a variant, in one source";
}

TEST(JudgeSpelledOut, DoesNotDecideAboutAnotherThingOfThatName) {
  const statement::Judgement judged = Judged("TMA", "Traffic Metering Agency");
  EXPECT_EQ(judged.verdict, Verdict::kUndecidable);
  EXPECT_NE(judged.reason.find("something else"), std::string::npos);
}

TEST(JudgeSpelledOut, TheTableOfTheFieldDecidesWhatNoSourceDoes) {
  EXPECT_EQ(Judged("NCCL", "NVIDIA Collective Communications Library").verdict,
            Verdict::kSupported);
  EXPECT_EQ(Judged("NCCL", "NVIDIA Collective Compute Library").verdict, Verdict::kContradicted);
  EXPECT_EQ(Judged("MPS", "Metal Performance Shaders").verdict, Verdict::kSupported);
  EXPECT_EQ(Judged("MPS", "Mean Pixel Size").verdict, Verdict::kUndecidable) << "another thing";
}

TEST(JudgeSpelledOut, DoesNotDecideWhatNoSourceSpellsOut) {
  const statement::Judgement judged = Judged("XYZ", "Xenon Yield Zone");
  EXPECT_EQ(judged.verdict, Verdict::kUndecidable);
  EXPECT_EQ(judged.reason, "no pinned source expands it");
  EXPECT_FALSE(judged.Fails());
}

}  // namespace
}  // namespace sibyl::audit
