// SPDX-License-Identifier: Apache-2.0
// Every row of the table is everywhere a person may look for it.
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/files/files.h"
#include "base/strings.h"
#include "engine/text/render.h"
#include "interface/cli/commands.h"
#include "interface/cli/completions.h"
#include "interface/cli/manual.h"

namespace sibyl::interface {
namespace {

std::string ManPage() {
  std::vector<Manual> operations;
  for (const engine::Operation* command : Commands()) {
    operations.push_back(DescribeOperation(*command));
  }
  return ManualAsRoff(DescribeProgram(), operations);
}

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

TEST(Parity, EveryOperationOfTheEngineIsACommandWithAWayToShowIt) {
  for (const engine::Operation* operation : engine::Operations()) {
    const engine::Operation* command = FindCommand(operation->name);
    ASSERT_NE(command, nullptr) << operation->name;
    EXPECT_NE(command->render, engine::RenderText) << operation->name << " has no way to be shown";
  }
}

TEST(Parity, EveryCommandIsInHelpManPageMarkdownAndCompletions) {
  for (const engine::Operation* command : Commands()) {
    const std::string name(command->name);
    SCOPED_TRACE(name);
    EXPECT_TRUE(Has(HelpScreen(), "\n  " + name));
    EXPECT_TRUE(Has(ManPage(), ".SS sibyl " + name + "\n"));
    EXPECT_TRUE(Has(ManualPage(), "\n## sibyl " + name + "\n"));
    EXPECT_TRUE(Has(BashCompletions(), "'" + name + "')"));
    EXPECT_TRUE(Has(ZshCompletions(), "'" + name + "')"));
    EXPECT_TRUE(Has(FishCompletions(), "'" + name + "'"));
    const std::string manual = ManualAsText(DescribeOperation(*command));
    EXPECT_TRUE(manual.starts_with("sibyl " + name + ": "));
  }
}

TEST(Parity, EveryOptionIsInManualManPageMarkdownAndCompletions) {
  for (const engine::Operation* command : Commands()) {
    const std::string manual = ManualAsText(DescribeOperation(*command));
    for (const engine::Parameter& parameter : command->parameters) {
      if (parameter.kind == engine::ParameterKind::kPositional) continue;
      const std::string name(parameter.name);
      SCOPED_TRACE(std::string(command->name) + " --" + name);
      EXPECT_TRUE(Has(manual, "--" + name));
      std::string in_roff = "\\-\\-";
      for (const char c : name) in_roff += c == '-' ? "\\-" : std::string(1, c);
      EXPECT_TRUE(Has(ManPage(), in_roff));
      EXPECT_TRUE(Has(ManualPage(), "--" + name));
      EXPECT_TRUE(Has(BashCompletions(), "--" + name));
      EXPECT_TRUE(Has(ZshCompletions(), "--" + name));
      EXPECT_TRUE(Has(FishCompletions(), "-l " + name));
    }
  }
}

TEST(Parity, NoOptionOfAnOperationHidesOneOfAll) {
  for (const engine::Operation* command : Commands()) {
    for (const engine::Parameter& own : command->parameters) {
      for (const engine::Parameter& global : GlobalOptions().parameters) {
        EXPECT_NE(own.name, global.name) << command->name;
        if (own.short_name != '\0') {
          EXPECT_NE(own.short_name, global.short_name) << command->name;
        }
      }
    }
  }
}

TEST(Help, ListsOperationsOnALineOf79ColumnsEach) {
  const std::string screen = HelpScreen();
  const auto lines = SplitLines(screen);
  EXPECT_LE(lines.size(), Commands().size() + 25);
  for (const std::string_view line : lines) EXPECT_LE(line.size(), 79U) << line;
}

TEST(Help, ManualsAre79ColumnsWide) {
  for (const engine::Operation* command : Commands()) {
    const std::string manual = ManualAsText(DescribeOperation(*command));
    for (const std::string_view line : SplitLines(manual)) {
      if (line.starts_with("  sibyl ")) continue;  // an example is not broken
      EXPECT_LE(line.size(), 79U) << line;
    }
  }
}

// SIBYL_UPDATE=1 rewrites the page; the difference is then reviewed.
TEST(Help, TheReferenceInTheTreeIsWhatTheTableSays) {
  const std::string path = std::string(SIBYL_SOURCE_DIR) + "/docs/cli.md";
  if (const char* update = std::getenv("SIBYL_UPDATE"); update != nullptr && *update == '1') {
    ASSERT_TRUE(WriteFileAtomically(path, ManualPage()).ok());
  }
  const auto page = ReadFile(path);
  ASSERT_TRUE(page.ok()) << page.error().message;
  EXPECT_EQ(*page, ManualPage()) << "run with SIBYL_UPDATE=1 and look at the difference";
}

}  // namespace
}  // namespace sibyl::interface
