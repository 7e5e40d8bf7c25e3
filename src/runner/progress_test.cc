// SPDX-License-Identifier: Apache-2.0
#include "runner/progress.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sibyl::runner {
namespace {

TEST(ProgressText, KeepsItsFindings) {
  const Progress progress{.step = "checking",
                          .figures = {{"refused", 2}},
                          .findings = {"line 3: no \"x\" [ident/unknown]", "line 9"}};
  const Progress read = ParseProgress(FormatProgress(progress));
  EXPECT_EQ(read.step, "checking");
  ASSERT_EQ(read.figures.size(), 1U);
  EXPECT_EQ(read.figures[0].value, 2);
  EXPECT_EQ(read.findings, progress.findings);
}

// Older programs, which share a ledger with newer ones, wrote and read it without findings.
TEST(ProgressText, WithoutFindingsItIsAsItWas) {
  EXPECT_EQ(FormatProgress({.step = "gather", .figures = {{"points", 3}}}),
            R"({"step":"gather","figures":{"points":3}})");
  const Progress read = ParseProgress(R"({"step":"gather","figures":{"points":3}})");
  EXPECT_TRUE(read.findings.empty());
  EXPECT_EQ(read.figures.size(), 1U);
}

TEST(ProgressText, WhatIsNotALineOfTextIsLeftOut) {
  EXPECT_EQ(ParseProgress(R"({"findings":["a",7,null,{"b":1}]})").findings,
            std::vector<std::string>{"a"});
  EXPECT_TRUE(ParseProgress(R"({"findings":"a"})").findings.empty());
  EXPECT_TRUE(ParseProgress("[").findings.empty());
}

}  // namespace
}  // namespace sibyl::runner
