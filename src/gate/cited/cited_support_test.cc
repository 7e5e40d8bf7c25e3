// SPDX-License-Identifier: Apache-2.0
#include "gate/cited/cited_support.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gate/test_book.h"

namespace sibyl::gate {
namespace {

using Strings = std::vector<std::string>;

class CitedSupport : public testing::Test {
 protected:
  CitedSupport() {
    book_.git().Write("queue.md",
                      "# The queue\n\nThe task queue has 64 entries.\n\n"
                      "A full queue blocks the caller for 15 seconds.\n");
    book_.git().Commit();
    EXPECT_TRUE(evidence::SyncSource("gadget", book_.around()).ok());
  }

  std::vector<statement::Judgement> Judge(const std::string& text,
                                          const std::string& first = "queue.md:3") {
    const TestFile file(book_,
                        text + "\n\n" + book_.Define("1", first) + book_.Define("2", "queue.md:5"));
    return JudgeSupport(file.cited());
  }

  Strings Codes(const std::string& text, const std::string& first = "queue.md:3") {
    Strings codes;
    for (const statement::Judgement& judgement : Judge(text, first)) {
      codes.push_back(judgement.code);
    }
    return codes;
  }

  TestBook book_;
};

TEST_F(CitedSupport, SaysWhichStatementsTheLinesCarry) {
  EXPECT_EQ(Codes("The task queue has 64 entries.[^1]"), Strings{"support/grounded"});
  EXPECT_EQ(Codes("The task queue has 32 entries.[^1]"), Strings{"number/ungrounded"});
  EXPECT_EQ(Codes("Bananas are rich in potassium.[^1]"), Strings{"support/ungrounded"});
}

TEST_F(CitedSupport, NamesTheLinesThatWouldDo) {
  const auto judged = Judge("A full queue blocks its caller for 15 seconds.[^1]");
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_TRUE(judged[0].Fails());
  EXPECT_EQ(judged[0].nearest, "queue.md:5");
}

TEST_F(CitedSupport, JudgesShortSentencesThatCite) {
  EXPECT_EQ(Codes("Bananas taste sweet.[^1]"), Strings{"support/ungrounded"});
}

TEST_F(CitedSupport, ANumberOfANeighbourIsNotTheSentencesOwn) {
  EXPECT_EQ(Codes("A full queue blocks the caller for 15 seconds.[^2] "
                  "The task queue has 15 entries.[^1]"),
            (Strings{"support/grounded", "number/ungrounded"}));
}

TEST_F(CitedSupport, WordsThatCarryNothingRefuse) {
  EXPECT_EQ(Codes("The task queue has 64 entries.[^1]", "queue.md:3-5 \"has 64 entries\""),
            Strings{"support/grounded"});
  const auto judged =
      Judge("The task queue has 64 entries.[^1]", "queue.md:3-5 \"blocks the caller\"");
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_EQ(judged[0].message, "the cited words do not carry it");
}

TEST_F(CitedSupport, IsCountedAndPutIntoTheStamp) {
  const SupportCount count =
      CountSupport(Judge("The task queue has 64 entries.[^1] Bananas are rich in potassium.[^2]"));
  EXPECT_EQ(count.grounded, 1U);
  EXPECT_EQ(count.refused, 1U);
  EXPECT_EQ(WithSupportInStamp("# T\n\n> sibyl 1 · 2 of 2 citations hold · x\n", count),
            "# T\n\n> sibyl 1 · 2 of 2 citations hold · 1 of 2 statements grounded · x\n");
}

}  // namespace
}  // namespace sibyl::gate
