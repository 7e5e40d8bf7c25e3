// SPDX-License-Identifier: Apache-2.0
#include "gate/managed_block.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sibyl::gate {
namespace {

TEST(ManagedBlock, HasNameContentAndItsFirstLine) {
  const ManagedBlocks found = FindManagedBlocks(
      "mine\n<!-- sibyl:begin files -->\none\n\ntwo\n<!-- sibyl:end files -->\nmine too\n");
  ASSERT_EQ(found.blocks.size(), 1U);
  EXPECT_TRUE(found.mistakes.empty());
  EXPECT_EQ(found.blocks[0].name, "files");
  EXPECT_EQ(found.blocks[0].first_line, 3U);
  EXPECT_EQ(found.blocks[0].lines, (std::vector<std::string_view>{"one", "", "two"}));
}

TEST(ManagedBlock, MayBeEmptyIndentedAndEndWithCrlf) {
  const ManagedBlocks found = FindManagedBlocks(
      "  <!--sibyl:begin a-->\r\n  <!--  sibyl:end   a  -->\r\n<!-- sibyl:begin b -->\r\nx\r\n"
      "<!-- sibyl:end b -->\r\n");
  ASSERT_EQ(found.blocks.size(), 2U);
  EXPECT_TRUE(found.blocks[0].lines.empty());
  EXPECT_EQ(found.blocks[1].lines, std::vector<std::string_view>{"x"});
}

TEST(ManagedBlock, OfATextWithoutMarksIsNone) {
  for (const char* text : {"", "\n", "text\n", "<!-- mine -->\n", "<!---->\n", "<!-->\n",
                           "<!-- sibyl: begin a -->\n", "a <!-- sibyl:begin a -->\n"}) {
    const ManagedBlocks found = FindManagedBlocks(text);
    EXPECT_TRUE(found.blocks.empty()) << text;
    EXPECT_TRUE(found.mistakes.empty()) << text;
  }
}

TEST(ManagedBlock, ThatIsOpenOrClosedAloneIsAMistakeOnItsLine) {
  const ManagedBlocks open = FindManagedBlocks("x\n<!-- sibyl:begin a -->\ny\n");
  ASSERT_EQ(open.mistakes.size(), 1U);
  EXPECT_EQ(open.mistakes[0].line, 2U);
  EXPECT_EQ(open.mistakes[0].message, "block 'a' has no end");
  const ManagedBlocks closed = FindManagedBlocks("x\n<!-- sibyl:end a -->\n");
  ASSERT_EQ(closed.mistakes.size(), 1U);
  EXPECT_EQ(closed.mistakes[0].message, "block 'a' ends and did not begin");
  EXPECT_TRUE(closed.blocks.empty());
}

TEST(ManagedBlock, ThatEndsUnderAnotherNameIsNoBlock) {
  const ManagedBlocks found =
      FindManagedBlocks("<!-- sibyl:begin a -->\nx\n<!-- sibyl:end b -->\n");
  EXPECT_TRUE(found.blocks.empty());
  EXPECT_EQ(found.mistakes.size(), 1U);
}

TEST(ManagedBlock, InFencedCodeIsText) {
  for (const char* text :
       {"```\n<!-- sibyl:begin a -->\n```\n", "~~~\n<!-- sibyl:begin a -->\n~~~\n",
        "````md\n```\n<!-- sibyl:begin a -->\n```\n````\n",
        "~~~\n```\n<!-- sibyl:begin a -->\n~~~\n", "```\n<!-- sibyl:begin a -->\n"}) {
    const ManagedBlocks found = FindManagedBlocks(text);
    EXPECT_TRUE(found.blocks.empty()) << text;
    EXPECT_TRUE(found.mistakes.empty()) << text;
  }
}

TEST(ManagedBlock, AfterAFenceIsABlockAgain) {
  for (const char* fence : {"```\nx\n```\n", "~~~\n```\n~~~\n", "``` a `b` c\n", "    ```\n"}) {
    const ManagedBlocks found =
        FindManagedBlocks(std::string(fence) + "<!-- sibyl:begin a -->\nx\n<!-- sibyl:end a -->\n");
    EXPECT_EQ(found.blocks.size(), 1U) << fence;
  }
}

TEST(ManagedBlock, LinesAreThoseOfTheText) {
  EXPECT_TRUE(rc::check([] {
    const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
        "text\n", "<!-- sibyl:begin a -->\n", "<!-- sibyl:end a -->\n", "```\n", "~~~~\n",
        "<!-- sibyl:begin b -->\r\n", "<!-- sibyl:end b -->\r\n", "\n", "<!--", "-->\n"));
    std::string text;
    for (const std::string& piece : pieces) text += piece;
    const ManagedBlocks found = FindManagedBlocks(text);
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    for (const ManagedBlock& block : found.blocks) {
      RC_ASSERT(block.first_line >= 2U);
      RC_ASSERT(block.first_line + block.lines.size() <= lines);
    }
    for (const MarkerMistake& mistake : found.mistakes) {
      RC_ASSERT(mistake.line >= 1U);
      RC_ASSERT(mistake.line <= lines);
    }
  }));
}

}  // namespace
}  // namespace sibyl::gate
