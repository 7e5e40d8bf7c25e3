// SPDX-License-Identifier: Apache-2.0
#include "verify/cited_atoms.h"

#include <gtest/gtest.h>

#include "verify/test_book.h"

namespace sibyl::verify {
namespace {

using Strings = std::vector<std::string>;

TEST(CitedNames, MustStandInTheCitedLines) {
  const TestBook book;
  const TestFile file(
      book,
      "`NO_DEFAULT_PATH` in `cmake/Profiler.cmake` keeps system folders out.[^1]\n\n"
      "Setting `PROF_LIBRARIES` turns it on.[^1]\n\n"
      "`USE_PROF` is set then.[^1]\n\n" +
          book.Define("1", "cmake/Profiler.cmake:3-5"));
  const auto judgements = JudgeNames(file.cited());
  EXPECT_EQ(Failures(judgements), (Strings{"3 ident/unknown absent", "5 ident/unknown absent"}));
  for (const Judgement& judgement : judgements) {
    if (judgement.text == "PROF_LIBRARIES") {
      EXPECT_EQ(judgement.nearest, "PROF_LIBRARY");
    }
    if (judgement.text == "USE_PROF") {
      EXPECT_EQ(judgement.nearest, "cmake/Profiler.cmake:7");
    }
  }
}

}  // namespace
}  // namespace sibyl::verify
