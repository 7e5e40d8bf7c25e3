// SPDX-License-Identifier: Apache-2.0
#include "library/blocks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace sibyl::library {
namespace {

std::string Replaced(std::string_view text, std::string_view content) {
  const Result<std::string> replaced = ReplaceBlock("INDEX.md", text, "files", content);
  return replaced.ok() ? *replaced : "error: " + replaced.error().message;
}

TEST(Blocks, ReplacesWhatStandsBetweenTheMarkers) {
  EXPECT_EQ(Replaced("a\n<!-- sibyl:begin files -->\nold\n<!-- sibyl:end files -->\nb", "new\n"),
            "a\n<!-- sibyl:begin files -->\nnew\n<!-- sibyl:end files -->\nb");
}

TEST(Blocks, KeepsTheLineEndsOfThePage) {
  EXPECT_EQ(Replaced("a\r\n<!--sibyl:begin files-->\r\n<!-- sibyl:end files -->\r\n", "x\ny\n"),
            "a\r\n<!--sibyl:begin files-->\r\nx\r\ny\r\n<!-- sibyl:end files -->\r\n");
}

TEST(Blocks, APageWithoutOneGetsItAtTheEnd) {
  EXPECT_EQ(Replaced("# Mine", "new\n"),
            "# Mine\n\n<!-- sibyl:begin files -->\nnew\n<!-- sibyl:end files -->\n");
  EXPECT_EQ(Replaced("", "new\n"), "<!-- sibyl:begin files -->\nnew\n<!-- sibyl:end files -->\n");
}

TEST(Blocks, MarkersInCodeAreText) {
  const std::string_view page =
      "```markdown\n<!-- sibyl:begin files -->\n```\n~~~~\n<!-- sibyl:end files -->\n~~~\n~~~~\n";
  EXPECT_TRUE(FindBlocks("f", page).value().empty());
  EXPECT_EQ(FindBlocks("f",
                       "`````` not a fence ` here\n<!-- sibyl:begin a -->\n"
                       "<!-- sibyl:end a -->\n")
                .value()
                .size(),
            1U);
}

TEST(Blocks, DamagedMarkersAreErrorsWithTheirPlace) {
  struct Case {
    std::string_view text;
    std::string_view message;
    std::size_t line;
  };
  const Case cases[] = {
      {"\n<!-- sibyl:begin files -->\n", "the managed block 'files' has no end", 2},
      {"<!-- sibyl:end files -->\n", "the managed block 'files' ends here but has no beginning", 1},
      {"<!-- sibyl:begin a -->\n<!-- sibyl:end b -->\n",
       "the managed block 'b' ends here but has no beginning", 2},
      {"<!-- sibyl:begin a -->\n<!-- sibyl:begin b -->\n",
       "the managed block 'b' begins inside 'a', which has no end", 2},
      {"<!-- sibyl:begin a -->\n<!-- sibyl:end a -->\n<!-- sibyl:begin a -->\n",
       "the managed block 'a' appears twice", 3},
      {"<!-- sibyl:begin -->\n", "a marker of a managed block has no valid name", 1},
      {"<!-- sibyl:begin A b -->\n", "a marker of a managed block has no valid name", 1},
      // A fence that a person left open inside hides the end.
      {"<!-- sibyl:begin a -->\n```\n<!-- sibyl:end a -->\n", "the managed block 'a' has no end",
       1},
  };
  for (const Case& test : cases) {
    const auto blocks = FindBlocks("INDEX.md", test.text);
    ASSERT_FALSE(blocks.ok()) << test.text;
    EXPECT_EQ(blocks.error().message, test.message);
    EXPECT_EQ(blocks.error().place->line, test.line) << test.text;
    EXPECT_EQ(blocks.error().place->file, "INDEX.md");
    EXPECT_FALSE(blocks.error().hint.empty());
  }
}

TEST(Blocks, NoBlockIsPutBehindAnOpenFence) {
  EXPECT_EQ(Replaced("a\n```\ncode\n", "new\n"),
            "error: the page ends inside fenced code, so no block can be added at its end");
}

TEST(Blocks, OtherCommentsAreText) {
  EXPECT_TRUE(FindBlocks("f", "<!-- sibyl:beginning -->\n<!-- sibyl -->\n<!---->\n<!-->\n")
                  .value()
                  .empty());
}

RC_GTEST_PROP(Blocks, EveryByteOutsideStays, ()) {
  const auto piece = rc::gen::container<std::string>(
      rc::gen::element('a', ' ', '\n', '\r', '`', '~', '<', '!', '-', '>'));
  const std::string head = *piece + "\n";
  const std::string tail = "\n" + *piece;
  const std::string content = *rc::gen::element<std::string>("", "x\n", "x\ny\n", "no end");
  const std::string page =
      head + "<!-- sibyl:begin files -->\nold\n<!-- sibyl:end files -->" + tail;
  const Result<std::string> replaced = ReplaceBlock("f", page, "files", content);
  if (!replaced.ok()) return;  // a fence of the head is open
  RC_ASSERT(replaced->starts_with(head));
  RC_ASSERT(replaced->ends_with(tail));
  const Result<std::string> again = ReplaceBlock("f", *replaced, "files", content);
  RC_ASSERT(again.ok() && *again == *replaced);
}

}  // namespace
}  // namespace sibyl::library
