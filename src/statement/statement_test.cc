// SPDX-License-Identifier: Apache-2.0
#include "statement/statement.h"

#include <gtest/gtest.h>

namespace sibyl::statement {
namespace {

Statements Read(std::string_view source) {
  Result<Statements> statements = ReadStatements(source);
  EXPECT_TRUE(statements.ok());
  return statements.ok() ? *std::move(statements) : Statements{};
}

std::vector<std::string> Texts(const Statements& statements) {
  std::vector<std::string> texts;
  for (const Statement& statement : statements.all) texts.push_back(statement.text);
  return texts;
}

TEST(Statements, AreSentencesItemsCellsCodeAndQuotations) {
  const Statements read = Read(
      "# Title\n\nOne. Two `a.b` three.\n\n- item\n\n> said\n\n"
      "| h | k |\n| --- | --- |\n| x | y |\n\n```sh\nls\n```\n");
  EXPECT_EQ(Texts(read), (std::vector<std::string>{"Title", "One.", " Two a.b three.", "item",
                                                   "said", "h", "k", "x", "y", "ls\n"}));
  EXPECT_EQ(read.all[4].kind, StatementKind::kQuote);
  EXPECT_EQ(read.all[8].context, (std::vector<std::string>{"k", "x"}));
  EXPECT_EQ(read.all[9].info, "sh");
}

TEST(Statements, DoNotEndAtAbbreviationsVersionsOrInsideCode) {
  const Statements read =
      Read("Use e.g. CUDA 12.4 or `a. B` here, i.e. Debian. Then 3 of 4 v. Many. 1.5 GB stay.\n");
  EXPECT_EQ(Texts(read), (std::vector<std::string>{"Use e.g. CUDA 12.4 or a. B here, i.e. Debian.",
                                                   " Then 3 of 4 v. Many.", " 1.5 GB stay."}));
}

TEST(Statements, KeepTheirCitationsAlsoBehindTheFullStop) {
  const Statements read = Read("First.[^1] Second[^2].\n\n[^1]: a\n[^2]: b\n[^3]: c\n");
  ASSERT_EQ(read.all.size(), 2U);
  EXPECT_EQ(read.all[0].citations, (std::vector<std::string>{"1"}));
  EXPECT_EQ(read.all[1].citations, (std::vector<std::string>{"2"}));
  EXPECT_EQ(read.footnotes.at("1").uses, 1U);
  EXPECT_EQ(read.footnotes.at("3").uses, 0U);
  EXPECT_EQ(read.footnotes.at("3").line_number, 5U);
}

TEST(Statements, GiveAMarkBelowACodeBlockToTheBlock) {
  const Statements read = Read("```c\nint x;\n```\n[^1] More[^2].\n\n[^1]: a\n[^2]: b\n");
  ASSERT_EQ(read.all.size(), 2U);
  EXPECT_EQ(read.all[0].citations, (std::vector<std::string>{"1"}));
  EXPECT_EQ(read.all[1].citations, (std::vector<std::string>{"2"}));
}

TEST(Statements, KnowWhereTheirBytesStand) {
  const std::string source =
      "Say `cudaMalloc` twice. And *also* `nvcc`.\n\n- x\n  ```\n  y z\n  ```\n";
  const Statements read = Read(source);
  const Statement& second = read.all[1];
  const std::size_t at = second.text.find("nvcc");
  EXPECT_EQ(source.substr(SourceOffset(second, at), 4), "nvcc");
  EXPECT_TRUE(IsCodeAt(second, at));
  EXPECT_FALSE(IsCodeAt(second, second.text.find("also")));
  EXPECT_EQ(second.span.first_column, source.find("And") + 1);
  const Statement& code = read.all.back();
  EXPECT_EQ(source.substr(SourceOffset(code, code.text.find('z')), 1), "z");
}

TEST(Statements, KnowTheirHeadings) {
  const Statements read = Read("# A\n## B\nx\n## C\ny\n");
  EXPECT_EQ(read.headings[read.all[2].heading].text, "B");
  EXPECT_EQ(read.headings[read.headings[read.all.back().heading].parent].text, "A");
}

}  // namespace
}  // namespace sibyl::statement
