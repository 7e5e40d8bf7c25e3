// SPDX-License-Identifier: Apache-2.0
#include "support/elsewhere.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "support/grounding.h"

namespace sibyl::support {
namespace {

constexpr std::string_view kCited =
    "A checkpoint of the model has a number, and the machines share one file.\n"
    "Old ones are removed when the disk is full.\n";

std::string File(std::string_view between) {
  return std::string(kCited) + std::string(between) +
         "A seed checkpoint initialises the model on one processor. It can be\n"
         "loaded on any number of machines afterwards.\n";
}

Grounding JudgeIn(const std::string& file) {
  const auto statements = statement::ReadStatements(
      "A seed checkpoint initialises the model on one processor and is loaded on several "
      "machines.");
  Grounder grounder;
  return grounder.Judge(statements->all.front(), {.text = kCited, .context = "", .files = {file}});
}

TEST(Elsewhere, LinesThatCarryItMakeTheCitedOnesTheWrongOnes) {
  const std::string file = File("\n\n\n\n\n\n\n\n");
  const Grounding grounding = JudgeIn(file);
  EXPECT_EQ(statement::VerdictName(grounding.verdict), "absent");
  EXPECT_NE(grounding.message.find("do not carry it"), std::string::npos) << grounding.message;
}

TEST(Elsewhere, NothingIsFoundInAnotherFile) {
  const std::string file = std::string(kCited) + "Something else.\n";
  EXPECT_EQ(JudgeIn(file).measures.elsewhere.first, 0U);
}

TEST(Elsewhere, LongFilesAreNotRead) {
  EXPECT_EQ(JudgeIn(File(std::string(600'000, '\n'))).measures.elsewhere.first, 0U);
}

}  // namespace
}  // namespace sibyl::support
