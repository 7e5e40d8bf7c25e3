// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/question/question.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sibyl::draft {
namespace {

using Strings = std::vector<std::string>;

TEST(Question, IsReadForWhatItWants) {
  EXPECT_EQ(ReadQuestion("What does USE_TRACE do?").want, Want::kMeaning);
  EXPECT_EQ(ReadQuestion("default of CACHE_KB").want, Want::kDefault);
  EXPECT_EQ(ReadQuestion("Which values may CACHE_MODE have?").want, Want::kValues);
  EXPECT_EQ(ReadQuestion("Since which version is there a cache?").want, Want::kSince);
  EXPECT_EQ(ReadQuestion("How do I turn the cache off?").want, Want::kHow);
  EXPECT_EQ(ReadQuestion("Why is the cache slow?").want, Want::kWhy);
  EXPECT_EQ(ReadQuestion("When should I turn the cache off?").want, Want::kWhen);
  EXPECT_EQ(ReadQuestion("LoadGadget vs OpenGadget").want, Want::kDifference);
  EXPECT_EQ(ReadQuestion("How many gadgets fit?").want, Want::kAmount);
  EXPECT_EQ(ReadQuestion("ValueError: the default version is not supported").want, Want::kError);
}

TEST(Question, SeveralThingsOrAValueMayBeAskedForInOtherWords) {
  EXPECT_EQ(ReadQuestion("Which capture modes exist for a stream?").want, Want::kValues);
  EXPECT_EQ(ReadQuestion("What decay does the optimizer use if I do not give one?").want,
            Want::kDefault);
  EXPECT_EQ(ReadQuestion("First release that understands presets").want, Want::kSince);
  EXPECT_EQ(ReadQuestion("What happens to a gadget that is closed twice?").want, Want::kWhy);
  EXPECT_EQ(ReadQuestion("Which port does the server use?").want, Want::kMeaning);
}

TEST(Question, OtherSpellingsOfItsWordsAreKnown) {
  const Question question = ReadQuestion("Is ncu better for page-locked memory?");
  ASSERT_EQ(question.other_forms.size(), 4U);
  EXPECT_EQ(question.other_forms[0].said, (Strings{"page", "locked"}));
  EXPECT_EQ(question.other_forms[0].words, Strings{"pinned"});
  EXPECT_EQ(question.other_forms[3].words, (Strings{"nsight", "compute"}));
  EXPECT_TRUE(ReadQuestion("ncu metrics", Asker::kPlan).other_forms.empty());
}

TEST(Question, WantsNoNumberWhereANumberIsPartOfTheTask) {
  EXPECT_NE(ReadQuestion("a property to limit how many jobs run at once").want, Want::kAmount);
}

TEST(Question, KnowsNamesAsProgramsWriteThem) {
  EXPECT_EQ(ReadQuestion("What is torch.add, CMP0077 or USE_CUDA=native about?").names,
            (Strings{"torch.add", "USE_CUDA", "CMP0077"}));
}

TEST(Question, WordsOfQuestionsAreNotWhatItIsAbout) {
  const Question question = ReadQuestion("What is the default size of the trace buffer?");
  Strings content;
  for (const QuestionWord& word : question.words) {
    if (!word.is_frame && !word.is_everyday) content.push_back(word.written);
  }
  EXPECT_EQ(content, (Strings{"size", "trace", "buffer"}));
}

TEST(Question, AComparisonHasTwoSides) {
  const Question question = ReadQuestion("What is the difference between LoadIt and OpenIt?");
  ASSERT_EQ(question.sides, (Strings{"LoadIt", "OpenIt"}));
  EXPECT_EQ(QuestionOfSide(question, 0).names, Strings{"LoadIt"});
  EXPECT_EQ(QuestionOfSide(question, 1).names, Strings{"OpenIt"});
  EXPECT_EQ(QuestionOfSide(ReadQuestion("Adam vs AdamW default decay"), 0).want, Want::kDefault);
}

TEST(Question, WordsJoinedByAHyphenAreAPhrase) {
  EXPECT_EQ(ReadQuestion("When is split-K better?").phrases, Strings{"split k"});
}

TEST(Question, OfABookIsCut) {
  std::string book;
  for (int i = 0; i < 10'000; ++i) book += "word" + std::to_string(i) + " ";
  EXPECT_LT(ReadQuestion(book).words.size(), 300U);
  EXPECT_TRUE(ReadQuestion(std::string(5'000, 'x')).words.empty());
}

TEST(Question, AdverbsAndEverydayVerbsSayLittle) {
  const Question question = ReadQuestion("Which release brought tensors that load safely?");
  Strings content;
  for (const QuestionWord& word : question.words) {
    if (!word.is_frame && !word.is_everyday) content.push_back(word.written);
  }
  EXPECT_EQ(content, (Strings{"tensors", "load"}));
}

TEST(Question, APointOfAPlanMeansItsWords) {
  const Question point = ReadQuestion("Loading tensors safely", Asker::kPlan);
  ASSERT_EQ(point.words.size(), 3U);
  EXPECT_EQ(point.words[2].written, "safely");
  EXPECT_FALSE(point.words[2].is_everyday);
  EXPECT_TRUE(ReadQuestion("Loading tensors safely").words[2].is_everyday);
}

}  // namespace
}  // namespace sibyl::draft
