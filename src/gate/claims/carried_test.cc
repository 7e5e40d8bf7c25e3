// SPDX-License-Identifier: Apache-2.0
// Statements without a mark that the citation of a neighbour carries.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gate/claims/claim_scopes.h"
#include "gate/test_book.h"
#include "gate/uncited.h"

namespace sibyl::gate {
namespace {

using Strings = std::vector<std::string>;

// A source about memory spaces, and pages that cite it.
class Carried : public testing::Test {
 protected:
  Carried() {
    book_.git().Write("spaces.c",
                      "switch (space) {\n"
                      "  case MANAGED_MEMORY:\n    p = mallocManaged(bytes);\n    break;\n"
                      "  case HOST_MEMORY:\n    p = mallocHost(bytes);\n    break;\n"
                      "  case PLAIN_MEMORY:\n    p = malloc(bytes);\n    break;\n}\n");
    book_.git().Write("pool.md",
                      "# Pool\n\nThe pool keeps free blocks in a list, sorted by their size.\n"
                      "A block is split when it is larger than the request.\n"
                      "`pool_open(path, mode)` opens a pool.\n"
                      "The limit is `blocks < 2 * workers`.\n");
    book_.git().Commit();
    EXPECT_TRUE(evidence::SyncSource("gadget", book_.around()).ok());
  }

  Strings Judge(const std::string& text) const {
    const TestFile file(book_, text + "\n\n" + book_.Define("1", "spaces.c:1-11") +
                                   book_.Define("2", "pool.md:3-6"));
    return Failures(FindUncited(file.cited()));
  }

  static std::string Table(const std::string& row) {
    return "| Space | Allocated with |\n| --- | --- |\n"
           "| `MANAGED_MEMORY` | `mallocManaged`[^1] |\n" +
           row + "| `HOST_MEMORY` | `mallocHost`[^1] |\n\nA block is split.[^2]";
  }

  TestBook book_;
};

TEST_F(Carried, ARowByTheLinesOfItsTable) {
  EXPECT_EQ(Judge(Table("| `PLAIN_MEMORY` | `malloc` |\n")), Strings{});
  EXPECT_EQ(Judge(Table("| `PLAIN_MEMORY` | `mallocHost` |\n")), Strings{"4 cite/missing absent"});
  EXPECT_EQ(Judge(Table("| `PLAIN_MEMORY` | the fastest pool |\n")),
            Strings{"4 cite/missing absent"});
}

TEST_F(Carried, ARowByTheCaptionBelowItsTable) {
  constexpr const char* kRows =
      "| Space | Allocated with |\n| --- | --- |\n"
      "| `PLAIN_MEMORY` | `malloc` |\n| `HOST_MEMORY` | `mallocHost` |\n\n";
  EXPECT_EQ(Judge(kRows + std::string("Table 1. The space and its memory.[^1]\n")), Strings{});
  EXPECT_EQ(Judge(kRows + std::string("A block is split when it is larger.[^2]\n")),
            (Strings{"3 cite/missing absent", "4 cite/missing absent"}));
}

TEST_F(Carried, AnItemByTheNextItemOrTheIntroduction) {
  EXPECT_EQ(Judge("- The pool keeps free blocks in a list.\n"
                  "- A block is split when it is larger than the request.[^2]\n"),
            Strings{});
  EXPECT_EQ(Judge("The pool works so:[^2]\n\n- The pool keeps free blocks in a list.\n"),
            Strings{});
  EXPECT_EQ(Judge("- The pool keeps used blocks in a tree.\n"
                  "- A block is split when it is larger than the request.[^2]\n"),
            Strings{"1 cite/missing absent"});
}

TEST_F(Carried, AnItemByTheSentenceBelowAListWithoutMarks) {
  EXPECT_EQ(Judge("- The cache is encrypted.\n\nA block is split.[^2]\n"),
            Strings{"1 cite/missing absent"});
  EXPECT_EQ(Judge("- Free blocks are in a list.\n\nThe same page has more.[^2]\n"), Strings{});
}

TEST_F(Carried, AnExampleByTheNamesThatItCalls) {
  const auto page = [](const std::string& code) {
    return "`pool_open` opens a pool.[^2]\n\n" + code + "\n\nA block is split.[^2]\n";
  };
  EXPECT_EQ(Judge(page("```c\npool = pool_open(path, 3);\n```")), Strings{});
  EXPECT_EQ(Judge(page("```c example\nint q = pool_open(name, 3);\n```")), Strings{});
  EXPECT_EQ(Judge(page("```c example\nint q = pool_lock(path);\n```")),
            Strings{"3 cite/missing absent"});
  EXPECT_EQ(Judge(page("```c\nint handle = pool_open(name, flags, user);\n```")),
            Strings{"3 cite/missing absent"});
  EXPECT_EQ(Judge(page("```c\npool = pool_open(path, 3);  // 50 MB\n```")),
            Strings{"4 text/claim absent"});
}

TEST_F(Carried, CaptionsAndTheBeginningOfAFormula) {
  EXPECT_EQ(Judge(Table("") + "\n\n*Table 2. The memory spaces.*"), Strings{});
  EXPECT_EQ(Judge(Table("") + "\n\n*Table 2. The encrypted memory spaces.*"),
            Strings{"8 text/claim absent"});
  EXPECT_EQ(Judge("The limit is\n\n$$blocks < 2 workers$$\n\nThe limit is for blocks.[^2]\n"),
            Strings{});
}

TEST_F(Carried, ASentenceBeforeATable) {
  EXPECT_EQ(Judge("Two spaces have a function of their own.\n\n" + Table("")), Strings{});
  EXPECT_EQ(Judge("Every space is encrypted.\n\n" + Table("")), Strings{"1 text/claim absent"});
}

}  // namespace
}  // namespace sibyl::gate
