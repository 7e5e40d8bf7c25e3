// SPDX-License-Identifier: Apache-2.0
#include "support/numbers/counted_nouns.h"

#include <gtest/gtest.h>

#include <string_view>

#include "support/grounding.h"

namespace sibyl::support {
namespace {

bool IsMiscounted(std::string_view text, std::string_view lines) {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok() && !statements->all.empty()) << text;
  Tokenizer tokenizer;
  const EvidenceText evidence(lines, "", tokenizer);
  return WrongCount(Read(statements->all.front(), evidence, tokenizer), evidence, tokenizer.stems())
      .has_value();
}

TEST(CountedNouns, AreExchangedByTheNamesOfDefinitions) {
  constexpr std::string_view kLines =
      "constexpr int NUM_BLOCKS = 75;\nconstexpr int THREADS_PER_BLOCK = 1024;\n";
  EXPECT_TRUE(IsMiscounted("It uses 1024 blocks with 75 threads each.", kLines));
  EXPECT_FALSE(IsMiscounted("It uses 75 blocks with 1024 threads each.", kLines));
  constexpr std::string_view kFlags = "--num-attention-heads 32\n--num-query-groups 8\n";
  EXPECT_TRUE(IsMiscounted("Eight attention heads share 32 query groups.", kFlags));
  EXPECT_FALSE(IsMiscounted("32 attention heads share eight query groups.", kFlags));
}

TEST(CountedNouns, AreExchangedByTheWordsOfProse) {
  constexpr std::string_view kLines = "a cluster of four nodes, each running eight processes\n";
  EXPECT_TRUE(IsMiscounted("There are eight nodes with four processes each.", kLines));
  EXPECT_FALSE(IsMiscounted("There are four nodes with eight processes each.", kLines));
}

TEST(CountedNouns, ANameHasOneCount) {
  constexpr std::string_view kLines = "The red box has six 4090 GPUs.\n";
  EXPECT_TRUE(IsMiscounted("The red box has four 4090s.", kLines));
  EXPECT_FALSE(IsMiscounted("The red box has six 4090s.", kLines));
  EXPECT_FALSE(IsMiscounted("The red box has four 5090s.", kLines));
}

}  // namespace
}  // namespace sibyl::support
