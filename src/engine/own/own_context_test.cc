// SPDX-License-Identifier: Apache-2.0
#include "engine/own/own_context.h"

#include <gtest/gtest.h>

#include <string>

namespace sibyl::engine {
namespace {

std::string_view ExcuseIn(const std::string& path, const std::string& text, std::size_t line) {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok());
  return OwnContext(path, *statements).Excuse(line);
}

TEST(OwnContext, DocumentsOfOthersAndTestDataAreNotTheRepositorys) {
  EXPECT_FALSE(ForeignDocument("third_party/zlib/README.md").empty());
  EXPECT_FALSE(ForeignDocument("tests/fixtures/a.md").empty());
  EXPECT_FALSE(ForeignDocument("docs/TEMPLATE.md").empty());
  EXPECT_TRUE(ForeignDocument("docs/testing.md").empty());
}

TEST(OwnContext, HistoriesPlansAndReportsOfADayAreNotAboutThePresent) {
  EXPECT_FALSE(DatedDocument("CHANGELOG.md").empty());
  EXPECT_FALSE(DatedDocument("docs/plans/cache.md").empty());
  EXPECT_FALSE(DatedDocument("notes-2025-03-17.md").empty());
  EXPECT_TRUE(DatedDocument("README.md").empty());
  EXPECT_TRUE(DatedDocument("docs/architecture.md").empty());
}

TEST(OwnContext, ASectionOnWhatWasRemovedMayNameWhatIsGone) {
  const std::string text =
      "# Tool\n\nIt has `a`.\n\n## Removed\n\nIt had `b`.\n\n### More\n\n`c`.\n";
  EXPECT_TRUE(ExcuseIn("README.md", text, 3).empty());
  EXPECT_FALSE(ExcuseIn("README.md", text, 7).empty());
  EXPECT_FALSE(ExcuseIn("README.md", text, 11).empty());
}

TEST(OwnContext, ASentenceAboutThePastMayNameWhatIsGone) {
  const std::string text = "# Tool\n\nRenamed from `b`.\n\nIt reads `a`.\n";
  EXPECT_FALSE(ExcuseIn("README.md", text, 3).empty());
  EXPECT_TRUE(ExcuseIn("README.md", text, 5).empty());
}

TEST(OwnContext, PlaceholdersStandForSomethingElse) {
  for (const char* text :
       {"path/to/x", "src/<name>.rs", "my_tool", "src/foo.c", "a/*.md", "fuzz/x_fuzz.cc"}) {
    EXPECT_TRUE(IsPlaceholder(text)) << text;
  }
  EXPECT_FALSE(IsPlaceholder("src/scan.cc"));
}

}  // namespace
}  // namespace sibyl::engine
