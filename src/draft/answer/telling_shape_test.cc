// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/telling_shape.h"

#include <gtest/gtest.h>

#include "draft/answer/unit_score.h"

namespace sibyl::draft {
namespace {

double Tells(std::string_view question, std::string_view text) {
  return TellingShape(ReadQuestion(question), {.text = std::string(text)});
}

TEST(TellingShape, ADefaultIsBoundToWhatIsAskedFor) {
  constexpr std::string_view kQuestion = "What is the default of momentum?";
  EXPECT_EQ(Tells(kQuestion, "momentum (float): the factor. Default: 0.1"), 1);
  EXPECT_EQ(Tells(kQuestion, "The momentum defaults to ``None``."), 1);
  EXPECT_LT(Tells(kQuestion, "eps (float): for stability. Default: 1e-5"), 1);
  EXPECT_LT(Tells(kQuestion, "The default momentum suits most models."), 1);
  EXPECT_EQ(Tells(kQuestion, "The momentum of the running average."), 0);
}

TEST(TellingShape, AnAmountIsANumberWithItsNoun) {
  constexpr std::string_view kQuestion = "How many blocks may a cluster have?";
  EXPECT_EQ(Tells(kQuestion, "A cluster consists of at most 8 blocks."), 1);
  EXPECT_LT(Tells(kQuestion, "Clusters need compute capability 9.0."), 1);
  EXPECT_EQ(Tells("How long does it wait?", "It waits for 30 seconds."), 1);
}

TEST(TellingShape, AVersionHasItsMark) {
  constexpr std::string_view kQuestion = "Since which version is there a preset?";
  EXPECT_EQ(Tells(kQuestion, ".. versionadded:: 3.19\n\nPresets are files."), 1);
  EXPECT_LT(Tells(kQuestion, "The preset sets 3.19 as the value."), 1);
  EXPECT_EQ(Tells(kQuestion, "Presets are files."), 0);
}

TEST(TellingShape, ValuesAreAList) {
  constexpr std::string_view kQuestion = "Which values does reduction accept?";
  EXPECT_EQ(Tells(kQuestion, "reduction: can be ``'none'``, ``'mean'`` or ``'sum'``"), 1);
  EXPECT_EQ(Tells(kQuestion, "The following values are valid:\n* none\n* mean"), 1);
  EXPECT_EQ(Tells(kQuestion, "reduction is applied to the output"), 0);
}

TEST(TellingShape, AReasonIsGiven) {
  constexpr std::string_view kQuestion = "Why is it slow?";
  EXPECT_EQ(Tells(kQuestion, "It is slow because every call synchronizes."), 1);
  EXPECT_EQ(Tells(kQuestion, "It is slow."), 0);
}

TEST(OpeningSubject, IsWhatASentenceSaysSomethingOf) {
  EXPECT_EQ(OpeningSubject("A generator expression is evaluated late."), "A generator expression");
  EXPECT_EQ(OpeningSubject("Policies are rules."), "Policies");
  EXPECT_EQ(OpeningSubject("If it is set, nothing is done."), "If it");
  EXPECT_EQ(OpeningSubject("On Windows, it is slow."), "");
  EXPECT_EQ(OpeningSubject("Run the tests"), "");
}

TEST(Chance, TheMoreAnAnswerStandsOutTheSurerItIs) {
  ChanceFeatures plain = {};
  plain[kChanceScore] = 0.8;
  plain[kChanceRank] = 0.8;
  ChanceFeatures better = plain;
  better[kChanceLead] = 0.5;
  EXPECT_GT(ChanceOf(better), ChanceOf(plain));
  ChanceFeatures alone = better;
  alone[kChanceMet] = -1;
  EXPECT_LT(ChanceOf(alone), ChanceOf(better));
  ChanceFeatures future = better;
  future[kChanceFuture] = 1;
  EXPECT_LT(ChanceOf(future), ChanceOf(better));
}

TEST(UnitScore, PrefersATitleThatTheQuestionHas) {
  UnitFeatures titled = {};
  titled[kFeatureHeadingCovered] = 1;
  EXPECT_GT(UnitScore(titled), UnitScore({}));
}

TEST(QuotedShare, TheTextOfAnErrorIsFoundAgain) {
  constexpr std::string_view kError = "RuntimeError: expected to have finished reduction before";
  EXPECT_GT(QuotedShare(kError, "| \"Expected to have finished reduction.\" | unused |"), 0.6);
  EXPECT_EQ(QuotedShare(kError, "the reduction is expected to have ended"), 0);
  EXPECT_EQ(QuotedShare("warp size", "the warp size"), 0);  // too short to tell
  EXPECT_EQ(QuotedShare("", ""), 0);
}

}  // namespace
}  // namespace sibyl::draft
