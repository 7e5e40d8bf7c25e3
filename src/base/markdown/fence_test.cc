// SPDX-License-Identifier: Apache-2.0
#include "base/markdown/fence.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "base/markdown/markdown.h"
#include "base/strings.h"

namespace sibyl {
namespace {

// One letter for each line: o(utside), [ opening, i(nside), ] closing.
std::string PartsOf(std::string_view text, FenceIndent indent = FenceIndent::kUpToThree) {
  std::string parts;
  FenceTracker fences(indent);
  for (const std::string_view line : SplitLines(text)) {
    parts += "o[i]"[static_cast<std::size_t>(fences.Take(line))];
  }
  return parts;
}

TEST(Fences, OpenAndClose) {
  EXPECT_EQ(PartsOf("a\n```cpp\ncode\n```\nb\n"), "o[i]o");
  EXPECT_EQ(PartsOf("~~~\ncode\n~~~\nb\n"), "[i]o");
  EXPECT_EQ(PartsOf("```\nnever closed\n"), "[i");
}

TEST(Fences, AreClosedByTheirOwnMarkOnly) {
  EXPECT_EQ(PartsOf("```\n~~~\n```\n"), "[i]");
  EXPECT_EQ(PartsOf("~~~\n```\n~~~\n"), "[i]");
}

TEST(Fences, AreClosedByOneThatIsAtLeastAsLong) {
  EXPECT_EQ(PartsOf("````markdown\n```cpp\ncode\n```\n````\nb\n"), "[iii]o");
  EXPECT_EQ(PartsOf("```\ncode\n`````\nb\n"), "[i]o");
}

TEST(Fences, AreNotClosedByOneThatNamesALanguage) {
  EXPECT_EQ(PartsOf("```\n```cpp\n```\n"), "[i]");
  EXPECT_EQ(PartsOf("~~~\n~~~ x\n~~~ \t\n"), "[i]");
}

TEST(Fences, InIndentedCodeAreText) {
  EXPECT_EQ(PartsOf("   ```\n    ```\n   ```\n"), "[i]");
  EXPECT_EQ(PartsOf("    ```\n\t```\n \t```\n"), "ooo");
  EXPECT_EQ(PartsOf("1. a\n\n    ```\n\t\t```\nb\n", FenceIndent::kAny), "oo[]o");
}

TEST(Fences, OfTicksHaveNoTickInTheirInfo) {
  EXPECT_EQ(PartsOf("```a``` b\n"), "o");
  EXPECT_EQ(PartsOf("~~~a`b~ c\n"), "[");
  EXPECT_EQ(PartsOf("``\n~~\n"), "oo");
}

TEST(Fences, TellTheirInfo) {
  EXPECT_EQ(ReadFence("  ~~~~  cpp title=x \r\n")->info, "cpp title=x");
  EXPECT_EQ(ReadFence("  ~~~~  cpp")->length, 4U);
  EXPECT_FALSE(ReadFence("").has_value());
  EXPECT_FALSE(ReadFence("   ").has_value());
}

TEST(Fences, ToWriteAreLongerThanTheTicksInside) {
  EXPECT_EQ(FenceAround("code"), "```");
  EXPECT_EQ(FenceAround("a `b` ``c``"), "```");
  EXPECT_EQ(FenceAround("```\ncode\n```"), "````");
  EXPECT_EQ(FenceAround("x", 1), "`");
  EXPECT_EQ(FenceAround("`x``", 1), "```");
}

// Where nothing else can hold a line, the tracker agrees with the parser.
RC_GTEST_PROP(Fences, AreThoseOfTheParser, ()) {
  const auto line = rc::gen::element<std::string>("```", "~~~", "````", "~~~~~", "```c", "~~~ c",
                                                  "  ```", "    ```", "```a``` b", "x", "`` ``");
  std::string text;
  for (const std::string& one : *rc::gen::container<std::vector<std::string>>(line)) {
    text += one + "\n";
    // Indented code cannot interrupt a paragraph; without paragraphs there is
    // none to tell apart.
    if (one == "x" || one == "```a``` b" || one == "`` ``") text += "\n";
  }
  std::size_t opened = 0;
  FenceTracker fences;
  for (const std::string_view one : SplitLines(text)) {
    opened += fences.Take(one) == FencePart::kOpening ? 1 : 0;
  }
  const Result<MarkdownNode> document = ParseMarkdown(text);
  RC_ASSERT(document.ok());
  std::size_t parsed = 0;
  for (const MarkdownNode& node : document->children) parsed += node.is_fenced ? 1 : 0;
  RC_ASSERT(parsed == opened);
}

}  // namespace
}  // namespace sibyl
