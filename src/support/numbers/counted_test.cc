// SPDX-License-Identifier: Apache-2.0
#include "support/numbers/counted.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace sibyl::support {
namespace {

bool Counts(std::string_view text, std::size_t number) {
  const std::vector<std::size_t> counted = ThingsCounted(text);
  return std::find(counted.begin(), counted.end(), number) != counted.end();
}

TEST(ThingsCounted, AreTheEntriesOfBrackets) {
  EXPECT_TRUE(Counts("sizes = [32, 64, 128]\n", 3));
  EXPECT_FALSE(Counts("sizes = [32, 64, 128]\n", 4));
  EXPECT_TRUE(Counts("enum Mode {\n  kA,\n  kB,\n  kC,\n  kD,\n};\n", 4));
}

TEST(ThingsCounted, AreLinesOfTheSameForm) {
  EXPECT_TRUE(Counts("Modes:\n- fast\n- slow\n- safe\n", 3));
  EXPECT_TRUE(Counts("case kA:\n  f();\n  break;\ncase kB:\n  g();\n  break;\n", 2));
}

TEST(ThingsCounted, AreItemsOfAListWhateverTheySay) {
  constexpr std::string_view kList =
      "The interfaces:\n\n* CUDA Driver\n* NVRTC\n* `nvml`, which\n  goes on\n  - one part\n* d.\n";
  EXPECT_TRUE(Counts(kList, 4));
  EXPECT_FALSE(Counts(kList, 5));
  EXPECT_TRUE(Counts("- a\n\n- b c\n\n- `d`\n\nThe end.\n", 3));
}

TEST(ThingsCounted, ArePartsOfASentenceAndRanges) {
  EXPECT_TRUE(Counts("It reads files, folders and archives.", 3));
  EXPECT_TRUE(Counts("It reads files, folders, and archives.", 3));
  EXPECT_TRUE(Counts("bits 2-11: the event", 10));
}

TEST(ThingsCounted, AreNoneInTextWithoutLists) {
  EXPECT_TRUE(ThingsCounted("").empty());
  EXPECT_TRUE(ThingsCounted("A queue.").empty());
  EXPECT_LE(ThingsCounted(std::string(100000, '(')).size(), 500U);
}

}  // namespace
}  // namespace sibyl::support
