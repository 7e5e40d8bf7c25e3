// SPDX-License-Identifier: Apache-2.0
#include "interface/reports/workflow_commands.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/strings.h"
#include "base/terminal.h"
#include "interface/reports/test_findings.h"

namespace sibyl::interface {
namespace {

TEST(WorkflowCommands, AnnotateTheLineOfEachFinding) {
  Finding finding = PlainFinding(3, "moved");
  finding.hint = "now 9";
  finding.place.column = 7;
  EXPECT_EQ(FindingsAsWorkflowCommands({finding, PlainFinding(0, "odd", Severity::kWarning),
                                        PlainFinding(2, "fine", Severity::kNote)}),
            "::error file=docs/a.md,line=3,title=a/one,col=7::moved; now 9\n"
            "::warning file=docs/a.md,line=1,title=a/one::odd\n"
            "::notice file=docs/a.md,line=2,title=a/one::fine\n");
}

TEST(WorkflowCommands, NeedNoFile) {
  Finding finding = PlainFinding(0, "no GPU");
  finding.place.file.clear();
  EXPECT_EQ(FindingsAsWorkflowCommands({finding}), "::error title=a/one::no GPU\n");
  EXPECT_EQ(FindingsAsWorkflowCommands({}), "");
}

// The runner reads properties up to the first "::" and splits them at commas.
TEST(WorkflowCommands, NoTextEndsItsCommandOrStartsAnother) {
  const std::string commands = FindingsAsWorkflowCommands({HostileFinding(), HostileFinding()});
  EXPECT_EQ(std::ranges::count(commands, '\n'), 2);
  EXPECT_EQ(commands.find('\r'), std::string::npos);
  for (const std::string_view line : SplitLines(commands)) {
    ASSERT_TRUE(line.starts_with("::error file=docs/"));
    EXPECT_EQ(Harmless(line), line);
    const std::string_view properties = line.substr(2, line.find("::", 2) - 2);
    EXPECT_EQ(std::ranges::count(properties, ','), 3) << properties;
    EXPECT_NE(properties.find(".md,line=3,title=citation/drifted,col="), std::string_view::npos);
    EXPECT_EQ(line.find("%0A"), std::string_view::npos) << "a percent sign of the text is escaped";
  }
}

}  // namespace
}  // namespace sibyl::interface
