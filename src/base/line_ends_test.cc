// SPDX-License-Identifier: Apache-2.0
#include "base/line_ends.h"

#include <gtest/gtest.h>

#include <string>

namespace sibyl {
namespace {

// Lines of every length from 0, so that ends fall on every place of a step.
std::string LongerAndLongerLines(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += std::string(i, 'x') + "\n";
  return text;
}

TEST(LineEnds, AreSteppedOverAsIfOneByOne) {
  const std::string text = LongerAndLongerLines(140) + "no end";
  std::size_t end = 0;
  for (std::uint32_t lines = 1; lines <= 140; ++lines) {
    end = text.find('\n', end) + 1;
    const LineSteps steps = StepOverLines(text, lines);
    EXPECT_EQ(steps.lines, lines);
    EXPECT_EQ(steps.end, end);
  }
}

TEST(LineEnds, EndWithTheText) {
  const std::string text = LongerAndLongerLines(100) + "no end";
  const LineSteps steps = StepOverLines(text, 1000);
  EXPECT_EQ(steps.lines, 100U);
  EXPECT_EQ(steps.end, text.size());
  EXPECT_EQ(StepOverLines("", 3).end, 0U);
  EXPECT_EQ(StepOverLines("a\nb\n", 0).end, 0U);
}

}  // namespace
}  // namespace sibyl
