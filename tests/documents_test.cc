// SPDX-License-Identifier: Apache-2.0
// Tables in documents that CONTRIBUTING.md asks people to extend by hand: each has a
// line for everything in the code that it lists.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "base/files/files.h"
#include "base/strings.h"
#include "gate/rules.h"
#include "inspect/inspectors.h"
#include "plan/check.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

std::string DocumentText(std::string_view path) {
  const Result<std::string> text = ReadFile(fs::path(SIBYL_SOURCE_DIR) / path);
  EXPECT_TRUE(text.ok()) << path;
  return text.ok() ? *text : std::string();
}

TEST(Documents, ArchitectureHasAParagraphForEveryRoom) {
  const std::string text = DocumentText("ARCHITECTURE.md");
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(SIBYL_SOURCE_DIR) / "src")) {
    if (!entry.is_directory()) continue;
    const std::string room = entry.path().filename();
    EXPECT_TRUE(Contains(text, "\n**" + room + "** "))
        << "ARCHITECTURE.md does not explain " << room;
  }
}

TEST(Documents, ThePlanFormatListsEveryCodeOfItsChecks) {
  const std::string text = DocumentText("docs/formats/plan.md");
  for (const Rule& rule : plan::CheckRules()) {
    EXPECT_TRUE(Contains(text, "\n| `" + std::string(rule.code) + "` |"))
        << "docs/formats/plan.md has no row for " << rule.code;
  }
}

TEST(Documents, TheGatesPageListsEveryCode) {
  const std::string text = DocumentText("docs/formats/gate.md");
  for (const Rule& rule : gate::GateRules()) {
    EXPECT_TRUE(Contains(text, "`" + std::string(rule.code) + "`"))
        << "docs/formats/gate.md does not list " << rule.code;
  }
}

TEST(Documents, TheFactsPageNamesEveryInspector) {
  const std::string text = DocumentText("docs/formats/facts.md");
  for (const std::string_view inspector : inspect::CitableInspectors()) {
    EXPECT_TRUE(Contains(text, "\n| " + std::string(inspector) + " |"))
        << "docs/formats/facts.md has no row for the facts of " << inspector;
  }
}

}  // namespace
}  // namespace sibyl
