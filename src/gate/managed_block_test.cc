// SPDX-License-Identifier: Apache-2.0
#include "gate/managed_block.h"

#include <gtest/gtest.h>

namespace sibyl::gate {
namespace {

constexpr std::string_view kBlock = "<!-- sibyl:begin a -->\nx\n<!-- sibyl:end a -->\n";

// The names of the blocks, and "line: message" for each mistake.
std::vector<std::string> Found(std::string_view text) {
  const ManagedBlocks found = FindManagedBlocks(text);
  std::vector<std::string> said;
  for (const ManagedBlock& block : found.blocks) said.push_back(block.name);
  for (const MarkerMistake& mistake : found.mistakes) {
    said.push_back(std::to_string(mistake.line) + ": " + mistake.message);
    EXPECT_FALSE(mistake.hint.empty());
    EXPECT_TRUE(mistake.text.starts_with("<!--")) << mistake.text;
  }
  return said;
}

using Strings = std::vector<std::string>;

TEST(ManagedBlocks, AreTheBytesBetweenTheirMarkers) {
  const std::string text = "# T\r\n" + std::string(kBlock) +
                           " <!--sibyl:begin b-2-->\r\n"
                           "<!-- sibyl:end b-2 -->";
  const ManagedBlocks found = FindManagedBlocks(text);
  ASSERT_EQ(found.blocks.size(), 2U);
  EXPECT_TRUE(found.mistakes.empty());
  EXPECT_EQ(text.substr(found.blocks[0].begin, found.blocks[0].end - found.blocks[0].begin), "x\n");
  EXPECT_EQ(found.blocks[0].line, 2U);
  EXPECT_EQ(found.blocks[1].begin, found.blocks[1].end);
  EXPECT_EQ(found.blocks[1].name, "b-2");
}

TEST(ManagedBlocks, InFencedCodeAreText) {
  const std::string block(kBlock);
  EXPECT_EQ(Found("```\n" + block + "```\n"), Strings{});
  EXPECT_EQ(Found("~~~ md\n" + block + "~~~\n"), Strings{});
  EXPECT_EQ(Found("   ```\n" + block), Strings{}) << "up to three spaces, and never closed";
}

TEST(ManagedBlocks, InAFenceInsideAFenceAreText) {
  const std::string block(kBlock);
  EXPECT_EQ(Found("````markdown\n```\n" + block + "```\n" + block + "````\n"), Strings{});
  EXPECT_EQ(Found("~~~\n```\n~~~\n" + block), Strings{"a"}) << "the inner fence is text";
  EXPECT_EQ(Found("```\n~~~\n" + block + "~~~\n```\n"), Strings{});
}

TEST(ManagedBlocks, AreFoundAfterALongerClosingFence) {
  EXPECT_EQ(Found("```\n`````\n" + std::string(kBlock)), Strings{"a"});
  EXPECT_EQ(Found("````\n```\n" + std::string(kBlock)), Strings{})
      << "a shorter one closes nothing";
  EXPECT_EQ(Found("```\n```cpp\n" + std::string(kBlock)), Strings{}) << "nor one with a language";
}

TEST(ManagedBlocks, InIndentedCodeAreText) {
  EXPECT_EQ(Found("    <!-- sibyl:begin a -->\n\t<!-- sibyl:end a -->\n"), Strings{});
  EXPECT_EQ(Found("    ```\n" + std::string(kBlock)), Strings{"a"}) << "no fence";
  EXPECT_EQ(Found("``` x ` y\n" + std::string(kBlock)), Strings{"a"}) << "code in a sentence";
}

TEST(ManagedBlocks, OtherCommentsAreText) {
  EXPECT_EQ(Found("<!-- sibyl:beginning -->\n<!-- sibyl -->\n<!---->\n<!-->\n"), Strings{});
}

TEST(ManagedBlocks, WithWrongMarkersAreMistakesWithTheirPlace) {
  EXPECT_EQ(Found("\n<!-- sibyl:begin a -->\n"), Strings{"2: the managed block 'a' has no end"});
  EXPECT_EQ(Found("<!-- sibyl:end a -->\n"),
            Strings{"1: the managed block 'a' ends here but has no beginning"});
  EXPECT_EQ(Found("<!-- sibyl:begin a -->\n<!-- sibyl:end b -->\n"),
            Strings{"2: the managed block 'b' ends here but has no beginning"});
  EXPECT_EQ(Found("<!-- sibyl:begin -->\n<!-- sibyl:end A b -->\n"),
            (Strings{"1: a marker of a managed block has no valid name",
                     "2: a marker of a managed block has no valid name"}));
  // A fence that a person left open inside hides the end.
  EXPECT_EQ(Found("<!-- sibyl:begin a -->\n```\n<!-- sibyl:end a -->\n"),
            Strings{"1: the managed block 'a' has no end"});
}

TEST(ManagedBlocks, AreStillFoundBesideAMistake) {
  EXPECT_EQ(Found("<!-- sibyl:begin b -->\n" + std::string(kBlock)),
            (Strings{"a", "2: the managed block 'a' begins inside 'b', which has no end"}));
  EXPECT_EQ(Found(std::string(kBlock) + std::string(kBlock)),
            (Strings{"a", "a", "4: the managed block 'a' appears twice"}));
}

}  // namespace
}  // namespace sibyl::gate
