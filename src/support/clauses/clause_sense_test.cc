// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/clause_sense.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "support/clauses/condition_sense.h"
#include "support/grounding.h"

namespace sibyl::support {
namespace {

Grounding JudgedBy(std::string_view text, std::string_view lines) {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok() && !statements->all.empty()) << text;
  return Grounder().Judge(statements->all.front(), {.text = lines, .context = ""});
}

// "sense" or "denial" if it is refused as an inversion.
std::string RuleOf(std::string_view text, std::string_view lines) {
  return std::string(JudgedBy(text, lines).rule);
}

TEST(ClauseSense, WhatTheNearestSentenceDenies) {
  constexpr std::string_view kLines =
      "The callback is called for each record. It will not be called in the event of an error "
      "in the context.\n";
  EXPECT_EQ(RuleOf("It will be called in the event of an error in the context.", kLines), "sense");
  EXPECT_NE(RuleOf("It will not be called in the event of an error in the context.", kLines),
            "sense");
  EXPECT_NE(RuleOf("The callback is called for each record.", kLines), "sense");
}

// Issue 26.
TEST(ClauseSense, WhetherOrNotDeniesNothing) {
  constexpr std::string_view kLines =
      "Each optimizer makes an independent decision\nwhether or not to skip the step.\n";
  EXPECT_NE(RuleOf("Each optimizer decides independently whether to skip its step.", kLines),
            "sense");
  EXPECT_EQ(RuleOf("Each optimizer makes an independent decision to skip the step.",
                   "Each optimizer makes an independent decision not to skip the step.\n"),
            "sense");
}

TEST(ClauseSense, ArticlesAreNotCompared) {
  constexpr std::string_view kLines =
      "`A`: per-tensor FP8 with amax history. `B`: per-tensor FP8 without an amax history.\n";
  EXPECT_NE(RuleOf("`A` is per-tensor FP8 with an amax history.", kLines), "sense");
  EXPECT_EQ(RuleOf("`A` is per-tensor FP8 with an amax history.",
                   "`A`: per-tensor FP8 without amax history.\n"),
            "sense");
}

// Sentences of pages that were right.
TEST(ClauseSense, WhatTheStatementDeniesItselfIsNotAnInversion) {
  EXPECT_NE(RuleOf("Several threads may use a communicator if only one operates it at a time.",
                   "It is safe to use a communicator from multiple threads as long as only one "
                   "thread operates the communicator at a time.\n"),
            "sense");
  EXPECT_NE(JudgedBy("With `sync_files` disabled there is no guarantee that the checkpoint is "
                     "consistent after a failure.",
                     "If sync_files is disabled, there's no guarantee that the checkpoint will be "
                     "consistent in the case of a failure.\n")
                .verdict,
            statement::Verdict::kContradicted);
}

TEST(ClauseSense, EmphasisedAndStressedNegations) {
  EXPECT_EQ(RuleOf("Plans are cached with stateless functions.",
                   "The library does NOT cache plans with stateless functions. See cached ones.\n"),
            "sense");
  EXPECT_EQ(RuleOf("The constraints apply to empty inputs.",
                   "These constraints do **not** apply to empty inputs:\n"),
            "denial");
}

TEST(ClauseSense, InsideAConditionAndOutside) {
  constexpr std::string_view kLines =
      "Returns an error if the user does not have sufficient privileges to sample.\n";
  EXPECT_EQ(RuleOf("It returns an error if the user has sufficient privileges to sample.", kLines),
            "sense");
  EXPECT_NE(RuleOf("Sampling needs sufficient privileges of the user.", kLines), "sense");
}

TEST(ClauseSense, OnlyOneAndWithout) {
  EXPECT_EQ(RuleOf("Several instances of a graph may be executing at a time.",
                   "Only one instance of a graph may be executing at a time.\n"),
            "sense");
  EXPECT_EQ(RuleOf("The size is that of a model with shared embeddings.",
                   "The size is that of a model without shared embeddings.\n"),
            "sense");
}

TEST(ClauseSense, ADenialThatTheLinesDoNotHaveIsADoubt) {
  const Grounding judged = JudgedBy("The average does not feed back into training.",
                                    "The average feeds back into training at once. It is not "
                                    "saved.\n");
  EXPECT_EQ(judged.verdict, statement::Verdict::kUndecidable) << judged.message;
}

TEST(ConditionSense, TheCaseInWhichItHolds) {
  constexpr std::string_view kLines =
      "When the cache is enabled, the runtime uses compiled kernels. When disabled, it falls back "
      "to the evaluator.\n";
  EXPECT_EQ(RuleOf("With the cache enabled, it falls back to the evaluator.", kLines), "condition");
  EXPECT_NE(RuleOf("With the cache disabled, it falls back to the evaluator.", kLines),
            "condition");
}

}  // namespace
}  // namespace sibyl::support
