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

TEST(Blocks, DamagedMarkersAreErrorsWithTheirPlace) {
  const auto blocks = FindBlocks("INDEX.md", "\n <!-- sibyl:begin files -->\n```\n");
  ASSERT_FALSE(blocks.ok());
  EXPECT_EQ(blocks.error().kind, ErrorKind::kCorrupt);
  EXPECT_EQ(blocks.error().message, "the managed block 'files' has no end");
  EXPECT_EQ(blocks.error().hint, "put <!-- sibyl:end files --> where it should end");
  EXPECT_EQ(blocks.error().place->file, "INDEX.md");
  EXPECT_EQ(blocks.error().place->line, 2U);
  EXPECT_EQ(blocks.error().place->text, "<!-- sibyl:begin files -->");
}

TEST(Blocks, ABlockThatIsOnlyShownInCodeStays) {
  const std::string shown =
      "````\n```\n<!-- sibyl:begin files -->\n```\n<!-- sibyl:end files -->\n````\n";
  EXPECT_EQ(Replaced(shown, "new\n"),
            shown + "\n<!-- sibyl:begin files -->\nnew\n<!-- sibyl:end files -->\n");
}

TEST(Blocks, NoBlockIsPutBehindAnOpenFence) {
  EXPECT_EQ(Replaced("a\n```\ncode\n", "new\n"),
            "error: the page ends inside fenced code, so no block can be added at its end");
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
