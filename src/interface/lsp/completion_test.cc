// SPDX-License-Identifier: Apache-2.0
#include "interface/lsp/completion.h"

#include <gtest/gtest.h>

namespace sibyl::interface::lsp {
namespace {

std::vector<std::string> Complete(std::string_view before, std::string_view document) {
  const references::PathList paths({"README.md", "docs/a.md", "docs/deep/b.md", "src/main.rs",
                                    "src/scan/lexer.rs", "src/scan/parser.rs", "src0.txt"});
  const std::optional<TypedCitation> typed = ReadTyped(before);
  if (!typed || typed->separator != '\0') return {"none"};
  std::vector<std::string> found;
  for (const PathChoice& choice : CompletePath(paths, document, *typed)) {
    found.push_back(choice.text);
  }
  return found;
}

using Texts = std::vector<std::string>;

TEST(LspCompletion, GoesStepByStepFromTheRootAndFromTheDocument) {
  EXPECT_EQ(Complete("see `", "docs/a.md"),
            (Texts{"README.md", "docs/", "src/", "src0.txt", "a.md", "deep/"}));
  EXPECT_EQ(Complete("see `src/s", "docs/a.md"), (Texts{"src/scan/"}));
  EXPECT_EQ(Complete("see `src/scan/", "docs/a.md"),
            (Texts{"src/scan/lexer.rs", "src/scan/parser.rs"}));
  EXPECT_EQ(Complete("[x](../src/m", "docs/a.md"), (Texts{"../src/main.rs"}));
  EXPECT_EQ(Complete("[x](d", "docs/a.md"), (Texts{"deep/", "docs/"}));
  EXPECT_EQ(Complete("[x](../../", "docs/a.md"), Texts{}) << "out of the repository";
  EXPECT_EQ(Complete("(./d", "docs/a.md"), (Texts{"./deep/"}));
}

TEST(LspCompletion, FindsFilesByTheirName) {
  EXPECT_EQ(Complete("`lex", "docs/a.md"), (Texts{"src/scan/lexer.rs"}));
  EXPECT_EQ(Complete("[x](lex", "docs/a.md"), (Texts{"../src/scan/lexer.rs"}));
}

TEST(LspCompletion, OnlyWhereACitationBegins) {
  EXPECT_EQ(Complete("plain src/", "docs/a.md"), (Texts{"none"}));
  EXPECT_EQ(Complete("`code`", "docs/a.md"), (Texts{"none"})) << "a closing backtick";
  EXPECT_EQ(Complete("", "docs/a.md"), (Texts{"none"}));
  EXPECT_FALSE(ReadTyped("[x](https://example.org/a").has_value());
}

TEST(LspCompletion, SplitsThePathFromTheLines) {
  const std::optional<TypedCitation> colon = ReadTyped("in `src/a.rs:sc");
  ASSERT_TRUE(colon.has_value());
  EXPECT_EQ(colon->path, "src/a.rs");
  EXPECT_EQ(colon->lines, "sc");
  EXPECT_EQ(colon->separator, ':');
  const std::optional<TypedCitation> link = ReadTyped("[a](../a.rs#L1");
  ASSERT_TRUE(link.has_value());
  EXPECT_TRUE(link->is_link);
  EXPECT_EQ(link->lines, "L1");
}

}  // namespace
}  // namespace sibyl::interface::lsp
