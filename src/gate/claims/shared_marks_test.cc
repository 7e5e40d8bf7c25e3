// SPDX-License-Identifier: Apache-2.0
// Texts without a mark that share the one of their paragraph or table.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gate/test_book.h"
#include "gate/uncited.h"

namespace sibyl::gate {
namespace {

using Strings = std::vector<std::string>;

class SharedMarks : public testing::Test {
 protected:
  SharedMarks() {
    book_.git().Write("pool.h",
                      "// The pool keeps free blocks in a list, sorted by their size.\n"
                      "// A block is split when it is larger than the request.\n"
                      "// An allocation that fails releases all free blocks and is repeated.\n"
                      "POOL_SETTING(bool, eager_release, true)\n"
                      "POOL_SETTING(int64_t, release_timeout_milliseconds, 5000)\n");
    book_.git().Commit();
    EXPECT_TRUE(evidence::SyncSource("gadget", book_.around()).ok());
  }

  std::vector<statement::Judgement> JudgeAll(const std::string& text) const {
    const TestFile file(book_, text + "\n\n" + book_.Define("1", "pool.h:1-3") +
                                   book_.Define("2", "pool.h:4-4") +
                                   book_.Define("3", "pool.h:5-5"));
    return FindUncited(file.cited());
  }

  Strings Judge(const std::string& text) const { return Failures(JudgeAll(text)); }

  TestBook book_;
};

TEST_F(SharedMarks, ASentenceHasTheNextMarkOfItsParagraph) {
  EXPECT_EQ(Judge("Free blocks are kept, ordered by size. Larger ones are split.[^1]\n"),
            Strings{});
  EXPECT_EQ(Judge("Blocks are encrypted with the key of the user. Larger ones are split.[^1]\n"),
            Strings{"1 cite/missing absent"});
  EXPECT_EQ(Judge("Larger blocks are split.[^1] They are encrypted with a key.\n"),
            Strings{"1 cite/missing absent"})
      << "no mark follows";
}

TEST_F(SharedMarks, WhatAMarkOfItsOwnWouldLeaveUndecidedIsUndecided) {
  const auto judged = JudgeAll(
      "Should an allocation fail, the pool returns its free blocks. Then it is "
      "repeated.[^1]\n");
  EXPECT_EQ(Failures(judged), Strings{});
}

TEST_F(SharedMarks, RowsHaveThatOfTheHeaderOfTheirTable) {
  const auto table = [](const std::string& row) {
    return "| Setting | Value[^3] |\n| --- | --- |\n" + row + "\nA block is split.[^1]\n";
  };
  EXPECT_EQ(Judge(table("| `release_timeout_milliseconds` | 5000 |\n")), Strings{});
  EXPECT_EQ(Judge(table("| `release_timeout_milliseconds` | 4000 |\n")),
            Strings{"3 cite/missing absent"});
}

TEST_F(SharedMarks, ALabelIsComparedWithTheSentenceAfterIt) {
  EXPECT_EQ(Judge("**On by default.** Eager release returns free blocks.[^2]\n"), Strings{});
  EXPECT_EQ(Judge("**Off by default.** Eager release returns free blocks.[^2]\n"),
            Strings{"1 text/claim absent"});
}

TEST_F(SharedMarks, CellsHaveTheUnitOfTheirHeader) {
  const auto table = [](const std::string& unit) {
    return "| Wait | Value (" + unit + ") |\n| --- | --- |\n| For a release[^3] | 5000 |\n";
  };
  EXPECT_EQ(Judge(table("milliseconds")), Strings{});
  EXPECT_EQ(Judge(table("seconds")), Strings{"3 text/claim absent"});
}

}  // namespace
}  // namespace sibyl::gate
