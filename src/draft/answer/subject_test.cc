// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/subject.h"

#include <gtest/gtest.h>

#include "draft/test_passages.h"

namespace sibyl::draft {
namespace {

class SubjectTest : public PassageTest {
 protected:
  SubjectTest() {
    Add("docs/streams.md", "markdown", "# Streams\n\nStreams let copies and kernels overlap.\n");
  }
  bool AddsEnough(std::string_view point, std::string text, UnitKind kind = UnitKind::kText) {
    const Subject subject{.names = {},
                          .core = ReadQuestion(point, Asker::kPlan),
                          .topic = ReadQuestion("Kernels", Asker::kPlan)};
    TermReader reader(searcher());
    return SubjectCheck(subject, reader).AddsEnough({.kind = kind, .text = std::move(text)});
  }
};

TEST_F(SubjectTest, TheWordsOfThePointAreNoAnswerToIt) {
  EXPECT_FALSE(
      AddsEnough("PTX inline assembly", "Inline PTX assembly code into the current kernel."));
  EXPECT_TRUE(AddsEnough("PTX inline assembly",
                         "Inline PTX assembly is written as asm volatile with a string of the "
                         "instruction, output operands, input operands and clobbers."));
  // A definition may be short.
  EXPECT_TRUE(AddsEnough("Local memory",
                         "Local memory is a space of each thread for registers that spill."));
}

TEST_F(SubjectTest, WhatOnlyPointsElsewhereIsNoAnswer) {
  EXPECT_FALSE(AddsEnough("TORCH_LOGS environment variable",
                          "For a more in depth explanation of this environment variable with all "
                          "of its options, formats and examples, see the page on logging."));
}

TEST_F(SubjectTest, CodeNeedsMoreThanALine) {
  EXPECT_FALSE(AddsEnough("async copy", "// a tag\nstruct AsyncCopy {\n};\n", UnitKind::kCode));
  EXPECT_TRUE(AddsEnough("async copy",
                         "void Copy(int *to) {\n  Begin();\n  CopyAsync(to);\n  Wait();\n}\n",
                         UnitKind::kCode));
}

}  // namespace
}  // namespace sibyl::draft
