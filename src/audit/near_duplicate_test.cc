// SPDX-License-Identifier: Apache-2.0
#include "audit/near_duplicate.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "audit/test_witness.h"

namespace sibyl::audit {
namespace {

using statement::Verdict;

const TestWitness& Manuals() {
  static const TestWitness* const kManuals = new TestWitness(
      {{.name = "manual",
        .files = {{"docs/queue.md",
                   "# Queue\n\nThe scheduler keeps at most 64 pending requests in its waiting\n"
                   "queue before it refuses another client.\n"},
                  {"docs/cache.md",
                   "The cache evicts blocks after 3 failed lookups of the same address range.\n"},
                  {"src/limits.h",
                   "// The allocator rounds every request up to a multiple of 512 bytes\n"
                   "// before looking for a free segment.\n"}}}});
  return *kManuals;
}

std::vector<JudgedNumber> JudgeNumbers(const std::string& text) {
  const auto statements = statement::ReadStatements(text + "\n");
  EXPECT_TRUE(statements.ok());
  if (statements->all.empty()) return {};
  return JudgeByNearDuplicate(statements->all.front(), *Manuals());
}

TEST(NearDuplicate, TheSameSentenceWithTheSameNumberSupports) {
  const auto judged = JudgeNumbers(
      "The scheduler keeps at most 64 pending requests in the waiting queue before it refuses "
      "another client.");
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_EQ(judged[0].judgement.verdict, Verdict::kSupported);
  EXPECT_TRUE(judged[0].judgement.where.starts_with("manual@0123abc docs/queue.md"));
  EXPECT_EQ(judged[0].judgement.text, "64");
}

TEST(NearDuplicate, TheSameSentenceWithAnotherNumberContradicts) {
  const auto judged = JudgeNumbers(
      "The scheduler keeps at most 32 pending requests in its waiting queue before it refuses "
      "another client.");
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_EQ(judged[0].judgement.verdict, Verdict::kContradicted);
  EXPECT_EQ(judged[0].judgement.nearest, "64");
  EXPECT_EQ(judged[0].offset, 28U) << "where the number is in the statement";
}

TEST(NearDuplicate, IsFoundThroughCommentsAndLineBreaks) {
  const auto judged = JudgeNumbers(
      "The allocator rounds every request up to a multiple of 256 bytes before looking for a free "
      "segment.");
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_EQ(judged[0].judgement.verdict, Verdict::kContradicted);
  EXPECT_EQ(judged[0].judgement.nearest, "512");
}

TEST(NearDuplicate, ANamedFileIsTheOnlyOneThatIsRead) {
  const auto judged = JudgeNumbers(
      "According to `docs/cache.md` the cache evicts blocks after 5 failed lookups of the same "
      "address range.");
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_EQ(judged[0].judgement.nearest, "3");
  EXPECT_TRUE(
      JudgeNumbers("According to `docs/queue.md` the cache evicts blocks after 5 failed lookups "
                   "of the same address range.")
          .empty());
}

TEST(NearDuplicate, OneThatHasTheNumberSupportsItWhateverTheOthersHave) {
  const TestWitness releases(
      {{.name = "releases",
        .files = {{"log.md",
                   "The scheduler keeps at most 16 pending requests in its waiting queue.\n\n"
                   "The scheduler keeps at most 64 pending requests in its waiting queue.\n"}}}});
  const auto judge = [&](const std::string& number) {
    const auto statements = statement::ReadStatements("The scheduler keeps at most " + number +
                                                      " pending requests in its waiting queue.\n");
    return JudgeByNearDuplicate(statements->all.front(), *releases);
  };
  for (const char* number : {"16", "64"}) {
    const auto judged = judge(number);
    ASSERT_EQ(judged.size(), 1U) << number;
    EXPECT_EQ(judged[0].judgement.verdict, Verdict::kSupported) << number;
  }
  EXPECT_TRUE(judge("32").empty()) << "the sources do not agree on another number";
}

TEST(NearDuplicate, ASentenceAboutSomethingElseIsNone) {
  EXPECT_TRUE(
      JudgeNumbers("The scheduler keeps at most 32 open files in its waiting table before it "
                   "closes an older handle.")
          .empty());
  EXPECT_TRUE(
      JudgeNumbers("The GX100 scheduler keeps at most 32 pending requests in its waiting queue "
                   "before it refuses another client.")
          .empty())
      << "of another thing";
}

TEST(NearDuplicate, AStatementWithFewWordsOrNoNumberHasNone) {
  EXPECT_TRUE(JudgeNumbers("It keeps 32 requests.").empty());
  EXPECT_TRUE(
      JudgeNumbers("The scheduler keeps pending requests in its waiting queue before it refuses "
                   "another client.")
          .empty());
  EXPECT_TRUE(JudgeNumbers("").empty());
}

TEST(NearDuplicate, AVeryLongStatementHasNone) {
  std::string text = "The scheduler keeps at most 32 pending requests";
  for (int i = 0; i < 5'000; ++i) text += " word" + std::string(1, static_cast<char>('a' + i % 26));
  for (char a = 'a'; a <= 'z'; ++a) {
    for (char b = 'a'; b <= 'z'; ++b) text += std::string(" q") + a + b + "xx";
  }
  EXPECT_TRUE(JudgeNumbers(text + ".").empty());
}

TEST(NearDuplicate, ANumberThatHasNoCounterpartIsNotJudged) {
  const auto judged = JudgeNumbers(
      "In 2026 the scheduler keeps at most 64 pending requests in its waiting queue before it "
      "refuses another client.");
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_EQ(judged[0].judgement.text, "64");
}

}  // namespace
}  // namespace sibyl::audit
